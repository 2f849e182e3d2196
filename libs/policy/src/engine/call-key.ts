import { canonicalJson, type ToolCall } from '@wrongstack/contracts';
import { UNKNOWN_COMMAND, type CheckedClaims } from '../facts/checked-claims.js';

/** A longer call is worked out each time: it hardly comes again, and would push out many that do. */
const LONGEST = 16 * 1024;

const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * Everything that the facts of a call are made of, the disk, the actor and the time apart: calls of one key have the same facts on
 * the same disk. Null = such a call cannot be told from others.
 */
export function callKey(call: ToolCall, claims: CheckedClaims, claimsTrusted: boolean): string | null {
  const { actor, tool, input, session, cwd, projectRoot, scratchDirs, background, hookDemands, nesting } =
    call;
  // What its author may still change cannot be told by its identity.
  if (!Object.isFrozen(tool) || input === undefined || !isThere(actor)) return null;
  const command = claims.command === UNKNOWN_COMMAND ? { unknown: true } : { claimed: claims.command };
  try {
    const text = canonicalJson([
      ...[numberOf(tool), input, session, cwd, projectRoot, scratchDirs, background, hookDemands, nesting],
      ...[claims.paths, command, claims.urls, claims.cwd, claimsTrusted],
    ]);
    return text.length <= LONGEST ? text : null;
  } catch {
    return null; // no JSON
  }
}

/** A caller without types may leave it out. */
function isThere(actor: unknown): boolean {
  return typeof actor === 'object' && actor !== null;
}

function numberOf(tool: object): number {
  const known = numbers.get(tool);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(tool, last);
  return last;
}
