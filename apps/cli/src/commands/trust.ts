import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack trust list
  wstack trust revoke g-7f3a
  wstack trust revoke --all
`;

export function trustCommand(): Command {
  const list = withCommonOptions(
    new Command('list').description('what was answered with always or never in this project'),
  );
  const revoke = withCommonOptions(
    new Command('revoke')
      .description('take an answer back')
      .argument('[id...]', 'ids as listed')
      .option('--all', 'everything in this project'),
  );
  return new Command('trust')
    .description('list and revoke the answers that were stored')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      list
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/trust-list.js')).trustList)),
    )
    .addCommand(
      revoke
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/trust-revoke.js')).trustRevoke)),
    );
}
