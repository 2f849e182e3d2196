import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack demo            watch a scripted model work on a small project, under the real policy engine
  wstack demo --keep     and leave the project behind to look at

No key, no network, no server. On a terminal the one destructive call is yours to answer.
`;

export function demoCommand(): Command {
  return withCommonOptions(
    new Command('demo')
      .description('see the agent work, without a key')
      .option('--keep', 'keep the scratch project')
      .option('--yes', 'let the script answer the question, on a terminal too'),
    { json: false },
  )
    .addHelpText('after', EXAMPLES)
    .action(runs(async () => (await import('../actions/demo.js')).demo));
}
