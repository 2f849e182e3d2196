import { WrongStackError } from '@wrongstack/contracts';
import { EXIT, type ExitCode } from './exit-codes.js';
import { errorParts } from './readable-error.js';
import { escapedLines, escapeText } from './terminal/escape-text.js';

/** Codes that mean "you asked for something that cannot be asked": exit 2. */
const USAGE = 'usage.';

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
  return code.startsWith(USAGE) ? EXIT.usage : EXIT.failed;
}

export function usageError(message: string, hint?: string): WrongStackError {
  return new WrongStackError('usage.invalid', message, hint === undefined ? {} : { hint });
}
