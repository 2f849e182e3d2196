import {
  deepFreeze,
  digestOf,
  type McpOrigin,
  messageOf,
  type RegisteredTool,
  type Tool,
  TOOL_NAME,
  WrongStackError,
} from '@wrongstack/contracts';
import { executeByStream, isStreaming, type StreamingTool } from './streaming-tool.js';

const PERMISSIONS: readonly unknown[] = ['auto', 'confirm', 'deny', undefined];
const RISK_TIERS: readonly unknown[] = ['safe', 'standard', 'destructive', undefined];
const MAX_NAME = 64;

/**
 * A frozen copy of a tool's fields and methods, taken when it is registered: what was checked is what runs, whatever
 * the author's object turns into later. Methods run with `this` = the author's own object, as authors expect.
 * Throws `tool.invalid` and names the field.
 */
export function snapshotTool(tool: Tool | StreamingTool, owner: string, mcp?: McpOrigin): RegisteredTool {
  const fields = checkedFields(tool);
  return Object.freeze({
    ...fields,
    owner,
    ...(mcp === undefined ? {} : { mcp: deepFreeze({ ...mcp }) }),
    definitionDigest: digestOf(fields),
    ...boundMethods(tool),
  });
}

type ToolFields = Omit<
  RegisteredTool,
  keyof ReturnType<typeof boundMethods> | 'owner' | 'definitionDigest' | 'mcp'
>;

function checkedFields(tool: Tool | StreamingTool): ToolFields {
  const { name, description, usageHint, permission, mutating, riskTier, capabilities, category } = tool;
  if (typeof name !== 'string' || !TOOL_NAME.test(name) || name.length > MAX_NAME) {
    throw invalid(name, 'name', `must match ${TOOL_NAME.source} and have at most ${MAX_NAME} characters`);
  }
  if (typeof description !== 'string') throw invalid(name, 'description', 'must be a string');
  if (!isStreaming(tool) && typeof tool.execute !== 'function') {
    throw invalid(name, 'execute', 'must be a function, unless there is an executeStream');
  }
  if (!PERMISSIONS.includes(permission)) throw invalid(name, 'permission', 'must be auto, confirm or deny');
  if (!RISK_TIERS.includes(riskTier))
    throw invalid(name, 'riskTier', 'must be safe, standard or destructive');
  if (capabilities !== undefined && !isStringList(capabilities)) {
    throw invalid(name, 'capabilities', 'must be a list of strings');
  }
  for (const limit of [
    'maxOutputBytes',
    'timeoutMs',
    'backgroundTimeoutMs',
    'estimatedDurationMs',
  ] as const) {
    const value = tool[limit];
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
      throw invalid(name, limit, 'must be a positive number');
    }
  }
  return withoutUndefined({
    name,
    description,
    usageHint,
    inputSchema: copyOfSchema(tool),
    permission,
    // A tool that does not say so is taken to change things.
    mutating: mutating,
    riskTier,
    capabilities: capabilities === undefined ? undefined : Object.freeze([...capabilities]),
    category,
    maxOutputBytes: tool.maxOutputBytes,
    timeoutMs: tool.timeoutMs,
    backgroundTimeoutMs: tool.backgroundTimeoutMs,
    estimatedDurationMs: tool.estimatedDurationMs,
    riskPerCall: tool.riskPerCall,
    idempotent: tool.idempotent,
    background: tool.background,
    credentials: tool.credentials === undefined ? undefined : Object.freeze([...tool.credentials]),
  });
}

function copyOfSchema(tool: Pick<Tool, 'name' | 'inputSchema'>): Tool['inputSchema'] {
  const schema: unknown = tool.inputSchema;
  if (typeof schema !== 'object' || schema === null) {
    throw invalid(tool.name, 'inputSchema', 'must be an object');
  }
  try {
    return deepFreeze(structuredClone(tool.inputSchema));
  } catch (error) {
    throw invalid(tool.name, 'inputSchema', `must be plain JSON (${messageOf(error)})`);
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

function withoutUndefined(fields: { [K in keyof ToolFields]: ToolFields[K] | undefined }): ToolFields {
  // The required ones were checked above; only optional members can be undefined here (and a missing permission, which
  // the policy engine treats as its own case).
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as unknown as ToolFields;
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function invalid(name: string, field: string, fault: string): WrongStackError {
  return new WrongStackError('tool.invalid', `tool ${name}: ${field} ${fault}`, { path: `/${field}` });
}
