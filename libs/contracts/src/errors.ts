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

/** The message of anything that was thrown, in one line. Never throws itself: it may be an object that cannot be read. */
export function messageOf(thrown: unknown): string {
  try {
    const text: unknown = thrown instanceof Error ? thrown.message : thrown;
    return String(text)
      .replace(/\s*\n\s*/g, ' ')
      .trim();
  } catch {
    return 'something that cannot be read was thrown';
  }
}

/** The stable code of anything that was thrown: ours, a Node `errno` code, or `unexpected`. */
export function codeOf(thrown: unknown): string {
  try {
    const { code } = (thrown ?? {}) as { readonly code?: unknown };
    return typeof code === 'string' ? code : 'unexpected';
  } catch {
    return 'unexpected';
  }
}

/** For exhaustive switches: reaching it is a programming error. */
export function assertNever(value: never): never {
  throw new WrongStackError('internal.unreachable', `unexpected value ${JSON.stringify(value)}`);
}
