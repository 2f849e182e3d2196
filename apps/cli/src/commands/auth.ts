import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack auth set anthropic              asks for the key without showing it
  pass show anthropic | wstack auth set anthropic
  wstack auth list
  wstack auth remove anthropic

A key is never printed. An environment variable (ANTHROPIC_API_KEY, OPENAI_API_KEY) comes before the vault.
`;

export function authCommand(): Command {
  const set = withCommonOptions(
    new Command('set')
      .description('store a credential; the value is read from stdin')
      .argument('<name>', 'like anthropic'),
  );
  const list = withCommonOptions(new Command('list').description('names of the stored credentials'));
  const remove = withCommonOptions(
    new Command('remove').description('forget a credential').argument('<name>', 'as listed'),
  );
  return new Command('auth')
    .description('keep credentials in the encrypted vault')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      set
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/auth-set.js')).authSet)),
    )
    .addCommand(
      list
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/auth-list.js')).authList)),
    )
    .addCommand(
      remove
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/auth-remove.js')).authRemove)),
    );
}
