import { WrongStackError } from '@wrongstack/contracts';
import { EXIT, type ExitCode } from './exit-codes.js';
import { errorParts } from './readable-error.js';
import { escapedLines, escapeText } from './terminal/escape-text.js';

/** "You asked for something that cannot be asked": of these codes, and of all that begin with `usage.`. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  'auth.unknown',
  'mcp.unknown_server',
  'plugin.unknown',
  'session.ambiguous',
  'session.not_found',
  'task.ambiguous',
  'task.unknown',
  'tool.bad_input',
  'tool.unknown',
  'trust.unknown',
]);

/** What an error that ended a command means to the shell: 2 where the command line was at fault, else 1. */
export function exitCodeOfError(code: string): typeof EXIT.usage | typeof EXIT.failed {
  return code.startsWith('usage.') || USAGE_CODES.has(code) ? EXIT.usage : EXIT.failed;
}

/**
 * One line on stderr that says what is wrong and what to do; a stack trace only with `--debug`. What failed may have
 * come from a file or a server, so its control characters are shown, not sent.
 */
export function reportError(
  error: unknown,
  debug: boolean,
  write: (text: string) => void = (text) => process.stderr.write(text),
): ExitCode {
  const { code, message, hint } = errorParts(error);
  write(`wstack: ${escapeText(hint === null ? message : `${message} · ${hint}`)}\n`);
  if (debug && error instanceof Error) write(`${escapedLines(error.stack ?? '').join('\n')}\n`);
  return exitCodeOfError(code);
}

export function usageError(message: string, hint?: string, cause?: unknown): WrongStackError {
  return new WrongStackError('usage.invalid', message, { cause, ...(hint !== undefined && { hint }) });
}
