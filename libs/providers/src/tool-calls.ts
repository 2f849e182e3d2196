import type { CallId, ModelRequest, ToolUseBlock } from '@wrongstack/contracts';
import { newId } from '@wrongstack/contracts';
import { isObject } from './json-fields.js';

/** What providers accept in ids and names; a call id also becomes part of file names on our side. */
const SAFE_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Deeper input is refused before any tool sees it. */
const DEEPEST = 100;

/**
 * Gives every call of a conversation its own id. Servers that repeat ids (`call_0` in each turn), leave them out or put
 * path characters into them get one of ours: a result that could belong to two calls would be an error for good.
 */
export class CallIds {
  private readonly taken = new Set<string>();

  constructor(request: ModelRequest) {
    for (const message of request.messages) {
      for (const block of message.content) if (block.type === 'tool_use') this.taken.add(block.id);
    }
  }

  claim(wanted: string | undefined): CallId {
    const free = wanted !== undefined && SAFE_ID.test(wanted) && !this.taken.has(wanted);
    // The one place where text from the wire becomes a call id.
    const id = free ? (wanted as CallId) : newId('CallId');
    this.taken.add(id);
    return id;
  }
}

/**
 * A call from its arguments as they were streamed. What does not parse is reported and kept as it came: it is never
 * completed or repaired, since a repaired command is not the one that the model wrote.
 */
export function toolUse(id: CallId, name: string, raw: string, cutOff: boolean): ToolUseBlock {
  const call = { type: 'tool_use', id, name } as const;
  const fail = (message: string): ToolUseBlock => ({ ...call, input: {}, inputError: { raw, message } });
  if (raw.trim() === '') {
    return cutOff ? fail('the arguments were cut off before they began') : { ...call, input: {} };
  }
  let input: unknown;
  try {
    input = JSON.parse(raw);
  } catch {
    return fail(
      cutOff
        ? `the arguments were cut off after ${raw.length} characters (truncated at the output limit)`
        : 'the arguments are not valid JSON (malformed or truncated)',
    );
  }
  if (!isObject(input)) return fail('the arguments are not a JSON object');
  // What walks a value calls itself once a level: one too deep for that must not get into the conversation.
  if (isDeeperThan(input, DEEPEST)) return fail(`the arguments are nested deeper than ${DEEPEST} levels`);
  return { ...call, input };
}

/** Level by level: it must not fall over what it looks for. */
function isDeeperThan(value: object, levels: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((parent) => Object.values(parent).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A name as it may be sent back: history may hold whatever a model made up. */
export function wireName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown_tool';
}

/** The arguments as they may be sent back; those that did not parse are known from the error result that follows. */
export function wireInput(block: ToolUseBlock): Readonly<Record<string, unknown>> {
  return block.inputError === undefined && isObject(block.input) ? block.input : {};
}
