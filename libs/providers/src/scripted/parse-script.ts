import { WrongStackError } from '@wrongstack/contracts';
import { isObject } from '../json-fields.js';
import type { Script } from './script.js';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isTexts: Check = (value) => isText(value) || (Array.isArray(value) && value.every(isText));
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
/** Unknown members are refused: a misspelt `expect` would otherwise never be checked. */
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.keys(value).every((key) => Object.hasOwn(members, key)) &&
    Object.entries(members).every(([key, check]) => check(value[key]));

const matcher = shape({
  call: optional(isText),
  contains: optional(isTexts),
  lacks: optional(isTexts),
  isError: optional(isFlag),
});
const call = shape({
  id: optional(isText),
  tool: isText,
  input: optional(isObject),
  rawInput: optional(isText),
});
const turnMembers: Readonly<Record<string, Check>> = {
  expect: optional(shape({ results: optional(listOf(matcher)), user: optional(isText) })),
  thinking: optional(isText),
  text: optional(isText),
  calls: optional(listOf(call)),
  stopReason: optional(isText),
  usage: optional(isObject),
  delayMs: optional(isCount),
  pieceDelayMs: optional(isCount),
  error: optional(
    shape({
      code: (value) => typeof value === 'string' && value.startsWith('provider.'),
      message: optional(isText),
      status: optional(isCount),
      retryAfterMs: optional(isCount),
      retryable: optional(isFlag),
    }),
  ),
};
const scriptMembers: Readonly<Record<string, Check>> = { name: optional(isText), model: optional(isText) };

/** A script from untrusted JSON; the error names the turn and the member. `where`: the file, for messages. */
export function parseScript(value: unknown, where: string): Script {
  if (!isObject(value)) throw invalid(where, '', 'is not a JSON object');
  checkMembers(value, { ...scriptMembers, turns: Array.isArray }, where, '');
  for (const [index, turn] of (value['turns'] as readonly unknown[]).entries()) {
    if (!isObject(turn)) throw invalid(where, `/turns/${index}`, 'is not an object');
    checkMembers(turn, turnMembers, where, `/turns/${index}`);
  }
  // Every member that the type names has been checked above.
  return value as unknown as Script;
}

function checkMembers(
  object: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, Check>>,
  where: string,
  path: string,
): void {
  for (const key of Object.keys(object)) {
    if (!Object.hasOwn(members, key)) throw invalid(where, `${path}/${key}`, 'is unknown');
  }
  for (const [key, check] of Object.entries(members)) {
    if (!check(object[key])) {
      throw invalid(where, `${path}/${key}`, object[key] === undefined ? 'is missing' : 'is malformed');
    }
  }
}

function invalid(where: string, path: string, problem: string): WrongStackError {
  return new WrongStackError('script.invalid', `script ${where}: ${path || 'the document'} ${problem}`, {
    path,
    hint: 'put the script right; provider.script names its file',
  });
}

/** Puts values in place of `{{name}}` in every string; names that are not given stay as they are. */
export function fillIn<T>(value: T, variables: Readonly<Record<string, string>>): T {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === 'string'
      ? member.replace(/\{\{([A-Za-z]\w*)\}\}/g, (whole, name: string) =>
          Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
        )
      : member,
  ) as T;
}
