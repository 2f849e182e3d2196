import {
  deepFreeze,
  digestOf,
  frozenJson,
  type McpOrigin,
  messageOf,
  type RegisteredTool,
  type Tool,
  TOOL_NAME,
  WrongStackError,
} from '@wrongstack/contracts';
import { executeByStream, isStreaming, type StreamingTool } from './streaming-tool.js';

const MAX_NAME = 64;

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isAmount: Check = (value) => Number.isFinite(value) && (value as number) > 0;
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isMethod: Check = (value) => typeof value === 'function';
const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value);

const METHODS = ['executeStream', 'cleanup', 'describeCall', 'presentCall', 'presentResult'] as const;
/** What may be left out, and what it must be where it is given. All of it is immutable then, or copied. */
const OPTIONAL: readonly (readonly [keyof Tool, Check, string])[] = [
  ['permission', oneOf('auto', 'confirm', 'deny'), 'must be auto, confirm or deny'],
  ['riskTier', oneOf('safe', 'standard', 'destructive'), 'must be safe, standard or destructive'],
  ['capabilities', isTexts, 'must be a list of strings'],
  ['usageHint', isText, 'must be a string'],
  ['category', isText, 'must be a string'],
  ['mutating', isFlag, 'must be true or false'],
  ['riskPerCall', isFlag, 'must be true or false'],
  ['idempotent', isFlag, 'must be true or false'],
  ['background', oneOf('never', 'optional', 'always'), 'must be never, optional or always'],
  ['credentials', isTexts, 'must be a list of strings'],
  ['maxOutputBytes', isAmount, 'must be a positive number'],
  ['timeoutMs', isAmount, 'must be a positive number'],
  ['backgroundTimeoutMs', isAmount, 'must be a positive number'],
  ['estimatedDurationMs', isAmount, 'must be a positive number'],
];

/**
 * A frozen copy of a tool's fields and methods, taken when it is registered: what was checked is what runs, whatever
 * the author's object turns into later. Methods run with `this` = the author's own object, as authors expect.
 * Throws `tool.invalid` and names the field.
 */
export function snapshotTool(tool: Tool | StreamingTool, owner: string, mcp?: McpOrigin): RegisteredTool {
  const fields = checkedFields(tool);
  let digest: string | undefined;
  return Object.freeze({
    ...fields,
    owner,
    ...(mcp === undefined ? {} : { mcp: deepFreeze({ ...mcp }) }),
    // Taken when a call is judged: most tools of a run are never called, and the fields stay what they are.
    get definitionDigest() {
      return (digest ??= digestOf(fields));
    },
    ...boundMethods(tool),
  });
}

type ToolFields = Omit<
  RegisteredTool,
  keyof ReturnType<typeof boundMethods> | 'owner' | 'definitionDigest' | 'mcp'
>;

/** Each field is read once: an author's getter could answer differently the next time. */
function checkedFields(tool: Tool | StreamingTool): ToolFields {
  const { name, description } = tool;
  if (typeof name !== 'string' || !TOOL_NAME.test(name) || name.length > MAX_NAME) {
    throw invalid(name, 'name', `must match ${TOOL_NAME.source} and have at most ${MAX_NAME} characters`);
  }
  if (typeof description !== 'string') throw invalid(name, 'description', 'must be a string');
  if (!isStreaming(tool) && typeof tool.execute !== 'function') {
    throw invalid(name, 'execute', 'must be a function, unless there is an executeStream');
  }
  const fields: Record<string, unknown> = {
    name,
    description,
    inputSchema: copyOfSchema(name, tool.inputSchema),
  };
  for (const [field, check, fault] of OPTIONAL) {
    const given: unknown = Reflect.get(tool, field);
    if (given === undefined) continue;
    const value: unknown = Array.isArray(given) ? Object.freeze([...(given as readonly unknown[])]) : given;
    if (!check(value)) throw invalid(name, field, fault);
    fields[field] = value;
  }
  for (const method of METHODS) {
    const given: unknown = Reflect.get(tool, method);
    if (given !== undefined && given !== null && !isMethod(given))
      throw invalid(name, method, 'must be a function');
  }
  // All were checked. What is missing is for the policy engine to judge: a tool that does not say so changes things.
  return fields as unknown as ToolFields;
}

function copyOfSchema(tool: string, schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) throw invalid(tool, 'inputSchema', 'must be an object');
  try {
    return frozenJson(schema);
  } catch (error) {
    throw invalid(tool, 'inputSchema', `must be plain JSON (${messageOf(error)})`);
  }
}

/** Bound when the tool is registered: what the author's object is given later does not count. */
function boundMethods(tool: Tool | StreamingTool) {
  return {
    execute: isStreaming(tool) ? executeByStream(tool.executeStream.bind(tool)) : tool.execute.bind(tool),
    ...(tool.executeStream && { executeStream: tool.executeStream.bind(tool) }),
    ...(tool.cleanup && { cleanup: tool.cleanup.bind(tool) }),
    ...(tool.describeCall && { describeCall: tool.describeCall.bind(tool) }),
    ...(tool.presentCall && { presentCall: tool.presentCall.bind(tool) }),
    ...(tool.presentResult && { presentResult: tool.presentResult.bind(tool) }),
  };
}

function invalid(name: unknown, field: string, fault: string): WrongStackError {
  return new WrongStackError('tool.invalid', `tool ${String(name)}: ${field} ${fault}`, {
    path: `/${field}`,
  });
}
