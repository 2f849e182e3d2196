import { Command, Option } from 'commander';
import { positiveInteger, runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack run "fix the failing test"
  git diff | wstack run "review this change" --plan
  wstack run "update the changelog" --output stream-json | jq -r 'select(.type=="tool.decided")'
  wstack run --resume s-20f1 "go on"

The answer goes to stdout, everything else to stderr. Exit: 0 done, 1 failed, 3 a call was denied or parked.
`;

export function runCommand(): Command {
  const command = new Command('run')
    .description('one prompt without a terminal: nothing asks, what would ask is denied')
    .argument('[prompt]', 'what to do; read from stdin when it is missing or -')
    .addOption(
      new Option('--output <format>', 'what stdout gets')
        .choices(['text', 'json', 'stream-json'])
        .default('text'),
    )
    .option('--resume [session]', 'go on with a session (the latest of this project by default)')
    .option('--max-iterations <number>', 'stop after this many model turns', positiveInteger)
    .option('--model <name>', 'model for this run')
    .option('--yolo', 'approve ordinary work, where YOLO is not locked')
    .option('--plan', 'plan mode: read, do not change')
    .option('--tolerate-denials', 'exit 0 even if a call was denied or parked');
  return withCommonOptions(command, { json: false })
    .addHelpText('after', EXAMPLES)
    .action(runs(async () => (await import('../actions/run.js')).run));
}
