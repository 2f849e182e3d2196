import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack tool list
  wstack tool show bash
  wstack tool call read '{"path":"README.md"}'
`;
const LIST_EXAMPLES = `
Examples
  wstack tool list
  wstack tool list --json | jq -r '.[].name'
`;
const SHOW_EXAMPLES = `
Examples
  wstack tool show bash
`;
const CALL_EXAMPLES = `
Examples
  wstack tool call read '{"path":"README.md"}'
  echo '{"pattern":"TODO"}' | wstack tool call grep -
  wstack tool call bash '{"command":"npm test"}' --yolo

The call is decided like any other. On a terminal it may ask; elsewhere what would ask is denied (exit 3).
`;

export function toolCommand(): Command {
  const list = withCommonOptions(
    new Command('list').description('every tool: who owns it, what it may do, when it asks'),
  );
  const show = withCommonOptions(
    new Command('show')
      .description('one tool whole: schema, capabilities, limits')
      .argument('<name>', 'tool name'),
  );
  const call = withCommonOptions(
    new Command('call')
      .description('run one tool, governed')
      .argument('<name>', 'tool name')
      .argument('[input]', 'JSON object; - reads it from stdin', '{}')
      .option('--yolo', 'approve ordinary work, where YOLO is not locked')
      .option('--plan', 'decide as in plan mode'),
  );
  return new Command('tool')
    .description('list, show and call tools')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      list
        .addHelpText('after', LIST_EXAMPLES)
        .action(runs(async () => (await import('../actions/tool-list.js')).toolList)),
    )
    .addCommand(
      show
        .addHelpText('after', SHOW_EXAMPLES)
        .action(runs(async () => (await import('../actions/tool-show.js')).toolShow)),
    )
    .addCommand(
      call
        .addHelpText('after', CALL_EXAMPLES)
        .action(runs(async () => (await import('../actions/tool-call.js')).toolCall)),
    );
}
