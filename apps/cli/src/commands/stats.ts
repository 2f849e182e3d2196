import { Command, Option } from 'commander';
import { positiveInteger, runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack stats
  wstack stats --all --days 7
  wstack stats --json | jq .costUsd
`;

export function statsCommand(): Command {
  return withCommonOptions(
    new Command('stats')
      .description('what your sessions did and used: calls, denials, time, tokens, cost')
      .option('--all', 'of every project')
      .addOption(new Option('--days <number>', 'how many days back').argParser(positiveInteger).default(30)),
  )
    .addHelpText('after', EXAMPLES)
    .action(runs(async () => (await import('../actions/stats.js')).stats));
}
