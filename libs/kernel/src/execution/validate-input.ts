import { deepFreeze } from '@wrongstack/contracts';
import type { RegisteredTool } from '@wrongstack/contracts';
import { findForbiddenKey } from '../registry/forbidden-keys.js';
import type { Stop, ToolSource } from './call-scope.js';

const MAX_DEPTH = 64;
const MAX_ERRORS = 5;

/** A frozen copy of the input that fits the tool's schema, or why it does not. */
export function validateInput(
  tools: ToolSource,
  tool: RegisteredTool,
  raw: unknown,
): { input: unknown } | Stop {
  // Before the copy and before the schema: both walk keys, and these reach an object's prototype.
  const forbidden = findForbiddenKey(raw);
  const copied: Copy =
    forbidden === undefined ? copyPlain(raw ?? {}, '', 0) : { problem: `the key ${forbidden} is refused` };
  if ('problem' in copied) {
    return { stop: 'failed', message: `Invalid input for ${tool.name}: ${copied.problem}. Nothing ran.` };
  }
  const input = deepFreeze(copied.value);
  const errors = tools.validate(tool.name, input);
  if (errors.length === 0) return { input };
  const listed = errors.slice(0, MAX_ERRORS).join('; ');
  const more = errors.length > MAX_ERRORS ? ` (and ${errors.length - MAX_ERRORS} more)` : '';
  return {
    stop: 'failed',
    message: `Invalid input for ${tool.name}: ${listed}${more}. Nothing ran; correct it and call again.`,
  };
}

type Copy = { readonly value: unknown } | { readonly problem: string };

// Copied rather than checked in place: whoever holds the original must not be able to change what was decided.
function copyPlain(value: unknown, path: string, depth: number): Copy {
  if (depth > MAX_DEPTH) return { problem: `${at(path)} is nested deeper than ${MAX_DEPTH} levels` };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return { value };
  if (typeof value === 'number') {
    return Number.isFinite(value) ? { value } : { problem: `${at(path)} is not a finite number` };
  }
  if (Array.isArray(value)) return copyArray(value, path, depth);
  if (typeof value === 'object') return copyObject(value, path, depth);
  return { problem: `${at(path)} is a ${typeof value}, which is not JSON` };
}

function copyArray(items: readonly unknown[], path: string, depth: number): Copy {
  const copy: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const member = copyPlain(item ?? null, `${path}/${index}`, depth + 1);
    if ('problem' in member) return member;
    copy.push(member.value);
  }
  return { value: copy };
}

function copyObject(object: object, path: string, depth: number): Copy {
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(object)) {
    if (item === undefined) continue;
    const member = copyPlain(item, `${path}/${key}`, depth + 1);
    if ('problem' in member) return member;
    copy[key] = member.value;
  }
  return { value: copy };
}

function at(path: string): string {
  return path === '' ? 'the input' : path.slice(0, 120);
}
