import { Command, CommanderError, Option } from 'commander';
import { acpCommand } from './commands/acp.js';
import { loginCommand, logoutCommand, whoamiCommand } from './commands/account.js';
import { approvalsCommand } from './commands/approvals.js';
import { auditCommand } from './commands/audit.js';
import { authCommand } from './commands/auth.js';
import { completionCommand } from './commands/completion.js';
import { configCommand } from './commands/config.js';
import { demoCommand } from './commands/demo.js';
import { diagCommand } from './commands/diag.js';
import { mcpCommand } from './commands/mcp.js';
import { pluginCommand } from './commands/plugin.js';
import { policyCommand } from './commands/policy.js';
import { runCommand } from './commands/run.js';
import { runsCommand } from './commands/runs.js';
import { sessionCommand } from './commands/session.js';
import { startAction } from './commands/start.js';
import { statsCommand } from './commands/stats.js';
import { taskCommand } from './commands/task.js';
import { toolCommand } from './commands/tool.js';
import { trustCommand } from './commands/trust.js';
import { EXIT } from './exit-codes.js';
import { HELP } from './help.js';
import { escapeText } from './terminal/escape-text.js';
import { VERSION } from './version.js';

/** The whole command line as a tree. Building it loads no command: each action imports what it needs. */
export function createProgram(): Command {
  const program = new Command('wstack')
    .version(VERSION)
    .description('A coding agent whose every tool call is decided by one policy engine.')
    .option('-C, --cwd <folder>', 'work in this folder')
    .option('--debug', 'stack traces and debug log lines on stderr')
    .option('--plain', 'no cursor movement, spinner or bold')
    .addOption(new Option('--no-color', 'no colour, as NO_COLOR'))
    .option('--yolo', 'start the session with YOLO on, where it is not locked')
    .option('--plan', 'start the session in plan mode')
    .option('--model <name>', 'model for this session')
    .option('--resume [session]', 'go on with a session (the latest of this project by default)')
    // A mistyped command arrives at the program's own action, which says what is near.
    .allowExcessArguments(true)
    .enablePositionalOptions()
    .showHelpAfterError(false)
    .showSuggestionAfterError(true)
    .helpCommand('help [command]', 'what a command takes')
    .exitOverride();
  program.helpInformation = () => HELP;
  program.action(startAction(program));
  program.addCommand(runCommand());
  program.addCommand(demoCommand());
  program.addCommand(toolCommand());
  program.addCommand(policyCommand());
  program.addCommand(pluginCommand());
  program.addCommand(mcpCommand());
  program.addCommand(trustCommand());
  program.addCommand(sessionCommand());
  program.addCommand(statsCommand());
  program.addCommand(taskCommand());
  program.addCommand(configCommand());
  program.addCommand(acpCommand());
  program.addCommand(loginCommand());
  program.addCommand(logoutCommand());
  program.addCommand(whoamiCommand());
  program.addCommand(approvalsCommand());
  program.addCommand(auditCommand());
  program.addCommand(runsCommand());
  program.addCommand(authCommand());
  program.addCommand(diagCommand());
  program.addCommand(completionCommand(() => program));
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(usageText(text, command)),
    });
  }
  return program;
}

/** What commander's own errors mean to the shell: help and version are fine, everything else is wrong usage. */
export function exitCodeOfUsage(error: CommanderError): number {
  return error.exitCode === 0 ? EXIT.done : EXIT.usage;
}

/** Commander's words in the form of every other error: what is wrong, then what is near or where the help is. */
function usageText(text: string, command: Command): string {
  const [first = '', near] = text.trim().split('\n');
  const what = escapeText(first.replace(/^error: /, '').replace(/\.$/, ''));
  const names = [command.name()];
  for (let above = command.parent; above !== null; above = above.parent) names.unshift(above.name());
  const help = `${names.join(' ')} --help`;
  const next =
    near === undefined ? help : `${near.replace(/^\(Did/, 'did').replace(/\)$/, '')} ${help} lists all`;
  return `wstack: ${what}\n  ${escapeText(next)}\n`;
}

export function* everyCommand(command: Command): Iterable<Command> {
  yield command;
  for (const inner of command.commands) yield* everyCommand(inner);
}
