import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack task list
  wstack task show t-4k3v
  wstack task output t-4k3v --follow
  wstack task kill t-4k3v
`;

export function taskCommand(): Command {
  const list = withCommonOptions(
    new Command('list')
      .description('background tasks, newest first')
      .option('--all', 'also those that ended more than a day ago'),
  );
  const show = withCommonOptions(
    new Command('show').description('what is known of a task').argument('<task>', 'id, or the start of one'),
  );
  const output = withCommonOptions(
    new Command('output')
      .description('what a task wrote')
      .argument('<task>', 'id, or the start of one')
      .option('--cursor <bytes>', 'from this byte on', '0')
      .option('-f, --follow', 'go on until the task has ended'),
    { json: false },
  );
  const kill = withCommonOptions(
    new Command('kill')
      .description('stop a task and everything that it started')
      .argument('<task>', 'id, or the start of one'),
  );
  return new Command('task')
    .description('list, show, read and kill background tasks')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      list
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/task-list.js')).taskList)),
    )
    .addCommand(
      show
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/task-show.js')).taskShow)),
    )
    .addCommand(
      output
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/task-output.js')).taskOutput)),
    )
    .addCommand(
      kill
        .addHelpText('after', EXAMPLES)
        .action(runs(async () => (await import('../actions/task-kill.js')).taskKill)),
    );
}
