import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack config get
  wstack config get provider.model
  wstack config set provider.model claude-sonnet-4-5
  wstack config set tools.bash.permission deny
  wstack config path
`;

export function configCommand(): Command {
  const get = withCommonOptions(
    new Command('get')
      .description('the configuration in force, or one key of it')
      .argument('[key]', 'like provider.model'),
  );
  const set = withCommonOptions(
    new Command('set')
      .description('change a key of your own configuration file')
      .argument('<key>', 'like provider.model')
      .argument('<value>', 'JSON, or text'),
  );
  const path = withCommonOptions(new Command('path').description('which files are read, in which order'));
  return new Command('config')
    .description('read and change the configuration')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      get
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/config-get.js')).configGet)),
    )
    .addCommand(
      set
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/config-set.js')).configSet)),
    )
    .addCommand(
      path
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/config-path.js')).configPath)),
    );
}
