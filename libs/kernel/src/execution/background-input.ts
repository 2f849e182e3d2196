import type { JSONSchema, RegisteredTool } from '@wrongstack/contracts';
import type { Stop } from './call-scope.js';

export const BACKGROUND_FIELD = 'run_in_background';

const PROPERTY: JSONSchema = {
  type: 'boolean',
  description: 'Return a task id at once; read it with task_output',
};

export interface BackgroundRequest {
  readonly background: boolean;
  /** Without the field, which is the executor's and none of the tool's. */
  readonly input: unknown;
}

/** Whether a call asks to run in the background, or why it cannot. A tool that declares the field itself keeps it. */
export function takeBackground(
  tool: RegisteredTool,
  raw: unknown,
  available: boolean,
): BackgroundRequest | Stop {
  const always = tool.background === 'always';
  if (!isObject(raw) || !Object.hasOwn(raw, BACKGROUND_FIELD) || declaresField(tool)) {
    return always && !available ? unavailable(tool) : { background: always, input: raw };
  }
  const { [BACKGROUND_FIELD]: asked, ...input } = raw;
  if (typeof asked !== 'boolean') {
    return refused(`Invalid input for ${tool.name}: /${BACKGROUND_FIELD}: must be boolean.`);
  }
  if (!asked && !always) return { background: false, input };
  if (tool.background !== 'optional' && !always) {
    return refused(`${tool.name} cannot run in the background. Call it without ${BACKGROUND_FIELD}.`);
  }
  return available ? { background: true, input } : unavailable(tool);
}

/** The schema that a model is told: the tool's own, and the field where the tool may run in the background. */
export function offeredSchema(tool: RegisteredTool, available: boolean): JSONSchema {
  const { inputSchema } = tool;
  if (!available || tool.background !== 'optional' || declaresField(tool)) return inputSchema;
  return { ...inputSchema, properties: { ...inputSchema.properties, [BACKGROUND_FIELD]: PROPERTY } };
}

function declaresField({ inputSchema, background }: RegisteredTool): boolean {
  const mayRunInBackground = background === 'optional' || background === 'always';
  return !mayRunInBackground && Object.hasOwn(inputSchema.properties ?? {}, BACKGROUND_FIELD);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unavailable(tool: RegisteredTool): Stop {
  return refused(`${tool.name} cannot run in the background here: no task queue is set up.`);
}

function refused(message: string): Stop {
  return { stop: 'failed', message: `${message} Nothing ran.` };
}
