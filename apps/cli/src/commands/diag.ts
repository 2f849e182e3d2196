import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack diag            exit 1 when something fails
  wstack diag --json
`;

export function diagCommand(): Command {
  return withCommonOptions(
    new Command('diag').description('what works here, what does not, and what to do about it'),
  )
    .addHelpText('after', EXAMPLES)
    .action(runs(async () => (await import('../actions/diag.js')).diag));
}
