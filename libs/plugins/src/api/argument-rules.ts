import { HOOKS } from './own-hooks.js';

/** Whether a value will do, and in words what would. */
export interface ArgumentRule {
  readonly wanted: string;
  fits(value: unknown): boolean;
  /** What the value's own fields must be. */
  readonly fields?: Readonly<Record<string, ArgumentRule>>;
}

export interface Argument {
  readonly name: string;
  readonly rule: ArgumentRule;
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text: ArgumentRule = {
  wanted: 'a text that is not empty',
  fits: (value) => typeof value === 'string' && value.trim() !== '',
};
const callable: ArgumentRule = { wanted: 'a function', fits: (value) => typeof value === 'function' };
// A sample such as 0/0 must not end a tool that works: whoever counts drops it, and names the metric in the log.
const number: ArgumentRule = { wanted: 'a number', fits: (value) => typeof value === 'number' };
const labels: ArgumentRule = {
  wanted: 'an object of texts, numbers and booleans',
  fits: (value) =>
    isObject(value) &&
    Object.values(value as object).every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
};
const key: ArgumentRule = {
  wanted: 'a token or a class',
  fits: (value) =>
    typeof value === 'function' ||
    (isObject(value) && typeof (value as { readonly name?: unknown }).name === 'string'),
};
const binding: ArgumentRule = {
  wanted: '{ value } or { factory }, a function',
  fits: (value) =>
    isObject(value) &&
    ('value' in (value as object) || typeof (value as { factory?: unknown }).factory === 'function'),
};
// What a tool is made of is checked by the registry, which names the field.
const tools: ArgumentRule = {
  wanted: 'a list of tools',
  fits: (value) => Array.isArray(value) && value.every(isObject),
};
const milliseconds: ArgumentRule = {
  wanted: 'a number of milliseconds, at most ten minutes',
  fits: (value) => typeof value === 'number' && value > 0 && value <= 600_000,
};
const optional = (rule: ArgumentRule): ArgumentRule => ({
  ...rule,
  wanted: `${rule.wanted}, or left out`,
  fits: (value) => value === undefined || rule.fits(value),
});
const object = (fields: Readonly<Record<string, ArgumentRule>> = {}): ArgumentRule => ({
  wanted: 'an object',
  fits: isObject,
  fields,
});
const takes = (rules: Readonly<Record<string, ArgumentRule>>): readonly Argument[] =>
  Object.entries(rules).map(([name, rule]) => ({ name, rule }));

const listen = takes({ name: text, handler: callable });
const measure = takes({ name: text, value: number, labels: optional(labels) });
const toolHook = takes({ hook: callable, options: optional(object({ timeoutMs: optional(milliseconds) })) });
const hooks = Object.fromEntries(HOOKS.map((name) => [name, optional(callable)]));

/** What the methods of each surface take, in order; a method that is not here takes whatever it is given. */
export const ARGUMENTS = {
  api: {
    onEvent: listen,
    onPattern: takes({ pattern: text, handler: callable }),
    emitCustom: takes({ event: text }),
    onConfigChange: takes({ handler: callable }),
    registerSystemPromptContributor: takes({ contributor: callable }),
  },
  'api.container': {
    bind: takes({ key, binding }),
    resolve: takes({ key }),
    has: takes({ key }),
  },
  'api.pipelines': { create: takes({ name: text }) },
  'api.pipelines.*': {
    use: takes({ middleware: object({ name: text, handler: callable }) }),
  },
  'api.events': {
    on: listen,
    once: listen,
    onPattern: takes({ pattern: text, handler: callable }),
    emitCustom: takes({ event: text }),
  },
  'api.tools': {
    register: takes({ tool: object() }),
    registerAll: takes({ tools }),
    registerAllOrThrow: takes({ tools }),
    wrap: takes({ name: text, wrapper: callable }),
    unregister: takes({ name: text }),
  },
  'api.providers': {
    register: takes({ factory: object({ type: text, create: callable }) }),
    create: takes({ type: text }),
  },
  // What a server is made of is checked by the client, which names the field.
  'api.mcp': {
    start: takes({ server: object({ name: text }) }),
    stop: takes({ name: text }),
    restart: takes({ name: text }),
  },
  'api.slashCommands': {
    register: takes({ command: object({ name: text, execute: callable }) }),
    unregister: takes({ name: text }),
  },
  'api.extensions': { register: takes({ hooks: object({ name: text, ...hooks }) }) },
  'api.metrics': {
    counter: takes({ name: text, value: optional(number), labels: optional(labels) }),
    histogram: measure,
    gauge: measure,
  },
  ToolHooks: { preExecute: toolHook, postExecute: toolHook },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly Argument[]>>>>;
