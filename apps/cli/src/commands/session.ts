import { Command, Option } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack session list
  wstack session show s-20f1
  wstack session resume s-20f1
  wstack session export s-20f1 --format markdown > session.md
`;

export function sessionCommand(): Command {
  const list = withCommonOptions(
    new Command('list').description('sessions of this project').option('--all', 'of every project'),
  );
  const show = withCommonOptions(
    new Command('show')
      .description('what happened in a session')
      .argument('<session>', 'id, or the start of one'),
  );
  const resume = withCommonOptions(
    new Command('resume')
      .description('go on with a session in the terminal')
      .argument('<session>', 'id, or the start of one'),
    { json: false },
  );
  const exported = withCommonOptions(
    new Command('export')
      .description('write a session to stdout')
      .argument('<session>', 'id, or the start of one')
      .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'markdown']).default('jsonl')),
    { json: false },
  );
  return new Command('session')
    .description('list, show, resume and export sessions')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      list
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/session-list.js')).sessionList)),
    )
    .addCommand(
      show
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/session-show.js')).sessionShow)),
    )
    .addCommand(
      resume
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/session-resume.js')).sessionResume)),
    )
    .addCommand(
      exported
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/session-export.js')).sessionExport)),
    );
}
