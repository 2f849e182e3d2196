import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack plugin list
  wstack plugin check ./my-plugin
  wstack plugin trust my-plugin
`;
const SHOW_EXAMPLES = `
Examples
  wstack plugin show my-plugin
  wstack plugin show my-plugin --json | jq .faults
`;
const LIST_EXAMPLES = `
Examples
  wstack plugin list
  wstack plugin list --json | jq -r '.[] | select(.error) | .error.message'
`;
const CHECK_EXAMPLES = `
Examples
  wstack plugin check ./my-plugin     load it once, as strictly as a policy could ask, and take it down again
`;
const TRUST_EXAMPLES = `
Examples
  wstack plugin trust my-plugin       this project's plugin may run, as it is now
  wstack plugin distrust my-plugin

A plugin that came with a repository runs only after that, and no more once a byte of it changes.
`;

export function pluginCommand(): Command {
  const named = (name: string, description: string): Command =>
    withCommonOptions(new Command(name).description(description).argument('<name>', 'plugin name'));
  return new Command('plugin')
    .description('list, check and trust plugins')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      withCommonOptions(
        new Command('list').description('every plugin: what it declared, what it used, why it is not there'),
      )
        .addHelpText('after', LIST_EXAMPLES)
        .action(runs(async () => (await import('../actions/plugin-list.js')).pluginList)),
    )
    .addCommand(
      named('show', 'one plugin whole: place, digest, surfaces, health, faults')
        .addHelpText('after', SHOW_EXAMPLES)
        .action(runs(async () => (await import('../actions/plugin-show.js')).pluginShow)),
    )
    .addCommand(
      withCommonOptions(
        new Command('check').description('try a plugin from a folder').argument('<folder>', 'its folder'),
      )
        .addHelpText('after', CHECK_EXAMPLES)
        .action(runs(async () => (await import('../actions/plugin-check.js')).pluginCheck)),
    )
    .addCommand(
      named('trust', 'let a plugin of this project run, as it is now')
        .addHelpText('after', TRUST_EXAMPLES)
        .action(runs(async () => (await import('../actions/plugin-trust.js')).pluginTrust)),
    )
    .addCommand(
      named('distrust', 'take that back')
        .addHelpText('after', TRUST_EXAMPLES)
        .action(runs(async () => (await import('../actions/plugin-trust.js')).pluginDistrust)),
    );
}
