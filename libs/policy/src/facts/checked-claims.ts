import type { ClaimContext, Clock, PathClaim, ToolCall } from '@wrongstack/contracts';

/** What `command` holds when nothing is known about it: no string will do, since every string is a command. */
export const UNKNOWN_COMMAND = Symbol('unknown command');

/** Claims after the edge: checked, bounded, and with every key that is missing or wrong made unknown. */
export interface CheckedClaims {
  readonly paths: readonly PathClaim[] | 'unknown';
  readonly command: string | readonly string[] | null | typeof UNKNOWN_COMMAND;
  readonly urls: readonly string[] | 'unknown';
  /** As claimed, or the call's own. */
  readonly cwd: string;
}

/** More than this is not described but enumerated: unknown is safer than a slow decision. */
const MAX_CLAIMS = 2_000;
const MAX_TEXT = 1024 * 1024;
/** `describeCall` is synchronous, so it cannot be interrupted; an answer that took this long is not believed. */
const MAX_DESCRIBE_MS = 2_000;

/** Ask the tool what this call would touch. Whatever goes wrong, the answer is "unknown", never "nothing". */
export function claimsOf(call: ToolCall, clock: Clock): CheckedClaims {
  const unknown: CheckedClaims = {
    paths: 'unknown',
    command: UNKNOWN_COMMAND,
    urls: 'unknown',
    cwd: call.cwd,
  };
  const { describeCall } = call.tool;
  if (typeof describeCall !== 'function') return unknown;
  const context: ClaimContext = Object.freeze({ cwd: call.cwd, projectRoot: call.projectRoot });
  const started = clock.now();
  try {
    const claims: unknown = describeCall.call(call.tool, call.input, context);
    if (clock.now() - started > MAX_DESCRIBE_MS) return unknown;
    return isThenable(claims) ? settle(claims, unknown) : (readClaims(claims, call.cwd) ?? unknown);
  } catch {
    return unknown;
  }
}

/** A promise is no answer; its rejection must not end the process either. */
function settle(claims: PromiseLike<unknown>, unknown: CheckedClaims): CheckedClaims {
  claims.then(undefined, () => undefined);
  return unknown;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function readClaims(claims: unknown, cwd: string): CheckedClaims | null {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return null;
  // Own keys alone: a polluted prototype must not be able to claim "touches nothing".
  const own = (key: string): unknown => (Object.hasOwn(claims, key) ? Reflect.get(claims, key) : undefined);
  const claimedCwd = own('cwd') ?? cwd;
  // Without a working folder nothing relative means anything.
  if (typeof claimedCwd !== 'string') return null;
  return {
    paths: readPaths(own('paths')),
    command: readCommand(own('command')),
    urls: readTexts(own('urls')) ?? 'unknown',
    cwd: claimedCwd,
  };
}

function readCommand(value: unknown): CheckedClaims['command'] {
  if (value === null) return null;
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : UNKNOWN_COMMAND;
  const words = readTexts(value);
  return words === null || words.length === 0 ? UNKNOWN_COMMAND : words;
}

function readTexts(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length > MAX_CLAIMS) return null;
  const texts: string[] = [];
  for (const item of value as readonly unknown[]) {
    if (typeof item !== 'string' || item.length > MAX_TEXT) return null;
    texts.push(item);
  }
  return texts;
}

function readPaths(value: unknown): readonly PathClaim[] | 'unknown' {
  if (!Array.isArray(value) || value.length > MAX_CLAIMS) return 'unknown';
  const paths: PathClaim[] = [];
  for (const item of value as readonly unknown[]) {
    if (typeof item !== 'object' || item === null) return 'unknown';
    const path: unknown = Object.hasOwn(item, 'path') ? Reflect.get(item, 'path') : undefined;
    const access: unknown = Object.hasOwn(item, 'access') ? Reflect.get(item, 'access') : undefined;
    if (typeof path !== 'string' || (access !== 'read' && access !== 'write')) return 'unknown';
    // Whatever is not plainly "no" counts: too much said can only tighten.
    const recursive: unknown = Object.hasOwn(item, 'recursive') ? Reflect.get(item, 'recursive') : false;
    paths.push({ path, access, ...(recursive !== false && recursive !== undefined && { recursive: true }) });
  }
  return paths;
}
