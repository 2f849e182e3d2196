import { Command, Option } from 'commander';
import { portNumber, runs, withCommonOptions } from './common-options.js';

const ABOUT = `
An editor starts this and speaks the Agent Client Protocol with it over stdin and stdout. See docs/editors.md.

Examples
  {"agent_servers": {"WrongStack": {"command": "wstack", "args": ["acp"]}}}   in Zed's settings
  wstack acp --model claude-sonnet-4-5 --plan
  wstack acp --metrics-port 9465        see docs/operations/metrics.md
`;

export function acpCommand(): Command {
  const command = new Command('acp')
    .description('be the agent of an editor, over stdin and stdout')
    .option('--model <name>', 'model for new sessions')
    .option('--yolo', 'start sessions with YOLO on, where it is not locked')
    .option('--plan', 'start sessions in plan mode')
    .option(
      '--metrics-port <port>',
      'Prometheus reads what this process counts there, on loopback',
      portNumber,
    )
    // What an editor adds when a person chose to type the key in its terminal.
    .addOption(new Option('--set-key <name>', 'store a key and leave').hideHelp());
  return withCommonOptions(command, { json: false })
    .addHelpText('after', ABOUT)
    .action(runs(async () => (await import('../actions/acp.js')).acp));
}
