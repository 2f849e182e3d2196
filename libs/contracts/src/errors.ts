/**
 * The one error class of the project. `code` is stable and is what callers match; `message` is one line:
 * what is wrong, where (file or field), and what to do next.
 */
export class WrongStackError extends Error {
  override readonly name: string = 'WrongStackError';
  readonly code: string;
  /** What a person can do about it; printed after the message. */
  readonly hint: string | undefined;
  /** Field path (`/rules/3/effect`), where there is one. */
  readonly path: string | undefined;

  constructor(
    code: string,
    message: string,
    options: { cause?: unknown; hint?: string; path?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.path = options.path;
  }
}

/** The message of anything that was thrown, in one line. */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** The stable code of anything that was thrown: ours, a Node `errno` code, or `unexpected`. */
export function codeOf(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string') {
    return thrown.code;
  }
  return 'unexpected';
}

/** For exhaustive switches: reaching it is a programming error. */
export function assertNever(value: never): never {
  throw new WrongStackError('internal.unreachable', `unexpected value ${JSON.stringify(value)}`);
}
