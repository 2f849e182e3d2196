import { type Command, InvalidArgumentError } from 'commander';

/** What every action gets: its own options over those of the commands above it. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly debug?: boolean;
  readonly plain?: boolean;
  readonly color?: boolean;
  readonly cwd?: string;
}

/** `--json` and the options that may stand before or after the command's name. */
export function withCommonOptions(command: Command, options: { readonly json?: boolean } = {}): Command {
  if (options.json !== false) command.option('--json', 'machine-readable output');
  return command
    .option('-C, --cwd <folder>', 'work in this folder')
    .option('--debug', 'stack traces and debug log lines on stderr')
    .option('--plain', 'no cursor movement, spinner or bold')
    .option('--no-color', 'no colour, as NO_COLOR');
}

/** Run an action and set the exit code that it returns. The module of the action is loaded here and not before. */
export function runs(
  load: () => Promise<(args: readonly string[], options: never) => Promise<number>>,
): (...received: unknown[]) => Promise<void> {
  return async (...received) => {
    // Commander hands over the declared arguments, then the options, then the command itself.
    const command = received.at(-1) as Command;
    const action = await load();
    // Each command declares the options that its action takes; commander parsed them by that declaration.
    process.exitCode = await action(command.args, command.optsWithGlobals<never>());
  };
}

export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

/** 0 lets the system choose. */
export function portNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('It must be a port number.');
  return value;
}
