import { Command, InvalidArgumentError, Option } from 'commander';
import { positiveInteger, runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack runs start "why does the nightly build fail?" --workspace /srv/workspaces/payments --follow
  wstack runs list --state running
  wstack runs show r-7f3a
  wstack runs follow r-7f3a
  wstack runs cancel r-7f3a
`;

const STATES = ['queued', 'running', 'parked', 'succeeded', 'failed', 'cancelled'];

function dollars(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** Runs of the agent on the control plane's server. */
export function runsCommand(): Command {
  const one = (name: string, description: string): Command =>
    withCommonOptions(new Command(name).description(description).argument('<id>', 'as listed')).addHelpText(
      'after',
      EXAMPLES,
    );
  return new Command('runs')
    .description('runs of the agent on the server')
    .addHelpText('after', EXAMPLES)
    .addCommand(startCommand())
    .addCommand(
      withCommonOptions(
        new Command('list')
          .description('runs, yours by default')
          .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
          .option('--all', "everybody's, for those who may see them"),
      )
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/control/runs.js')).runsList)),
    )
    .addCommand(
      one('show', 'how it stands, and its result').action(
        runs(async () => (await import('../actions/control/runs.js')).runsShow),
      ),
    )
    .addCommand(
      one('follow', 'what happens in it, until its end; --json: one event a line').action(
        runs(async () => (await import('../actions/control/runs.js')).runsFollow),
      ),
    )
    .addCommand(
      one('cancel', 'end it; what it has done stays').action(
        runs(async () => (await import('../actions/control/runs.js')).runsCancel),
      ),
    );
}

function startCommand(): Command {
  return withCommonOptions(
    new Command('start')
      .description('start one, as yourself')
      .argument('<prompt>', 'what to do')
      .requiredOption('--workspace <folder>', 'a folder of the server that runs may work in')
      .option('--model <name>', 'another model of the provider that the server has')
      .option('--max-iterations <count>', 'model turns', positiveInteger)
      .option('--max-tool-calls <count>', 'tool calls', positiveInteger)
      .option('--max-tokens <count>', 'tokens', positiveInteger)
      .option('--max-cost <dollars>', 'US dollars', dollars)
      .option('--max-seconds <count>', 'seconds of work', positiveInteger)
      .option('--tolerate-denials', 'a run in which calls were denied has succeeded all the same')
      .option('--key <text>', 'the same again starts nothing new')
      .option('--follow', 'stay until its end'),
  )
    .addHelpText('after', EXAMPLES)
    .action(runs(async () => (await import('../actions/control/runs.js')).runsStart));
}
