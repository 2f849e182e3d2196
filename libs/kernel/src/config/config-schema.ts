import { type JSONSchema, TOOL_NAME } from '@wrongstack/contracts';

const positive = (description: string): JSONSchema => ({ type: 'integer', minimum: 1, description });
/** Beyond this Node's timers fire at once: a limit meant to be long would end every call. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const milliseconds = (description: string, minimum = 1): JSONSchema => ({
  type: 'integer',
  minimum,
  maximum: LONGEST_TIMER_MS,
  description,
});
const text = (description: string): JSONSchema => ({ type: 'string', minLength: 1, description });
const object = (
  description: string,
  properties: Record<string, JSONSchema>,
  more: JSONSchema = {},
): JSONSchema => ({
  type: 'object',
  description,
  additionalProperties: false,
  properties,
  ...more,
});
const price = (description: string): JSONSchema => ({ type: 'number', minimum: 0, description });

const toolSettings = object('Settings of one tool. Each can only tighten what the tool declares.', {
  permission: {
    enum: ['confirm', 'deny'],
    description: 'Ask first (a rule, a stored answer or YOLO may answer), or refuse every call.',
  },
  riskTier: { enum: ['standard', 'destructive'], description: 'Treat every call as at least this risky.' },
  timeoutMs: milliseconds('Most milliseconds a call may take.'),
  maxOutputBytes: positive('Most bytes of output that the model sees of a call.'),
});

const pluginSettings: JSONSchema = {
  type: 'object',
  description: 'Settings of one plugin; keys beyond these are its own.',
  properties: {
    enabled: { type: 'boolean', description: 'False = not loaded.' },
    path: text('Folder or file to load the plugin from.'),
    options: { type: 'object', description: 'Passed to the plugin.' },
  },
};

const texts = (description: string): JSONSchema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
});

const mcpServer = object(
  'One MCP server: a command to start, or an address.',
  {
    transport: { enum: ['stdio', 'http'], description: 'By default what `command` or `url` imply.' },
    command: text('Program that speaks MCP on its standard streams. It is not a shell line.'),
    args: { type: 'array', items: { type: 'string' }, description: 'Its arguments.' },
    env: texts('Its environment, beside PATH, HOME and the locale: it gets nothing else.'),
    credentials: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'Credentials of `wstack auth` that it gets as environment variables of the same names.',
    },
    cwd: text('Folder that it starts in; the home folder by default, never the project.'),
    url: {
      type: 'string',
      pattern: '^https?://',
      description: 'Address of a remote server (streamable HTTP).',
    },
    headers: texts('Extra HTTP headers.'),
    credential: text('Credential of `wstack auth` that is sent as a bearer token.'),
    enabled: { type: 'boolean', description: 'False = not started.' },
    timeoutMs: milliseconds('Most milliseconds of one call.'),
    startTimeoutMs: milliseconds('Most milliseconds until it answers for the first time.'),
  },
  { anyOf: [{ required: ['command'] }, { required: ['url'] }, { required: ['enabled'] }] },
);

/** The one description of the configuration: files are checked against it and its documentation is generated from it. */
export const CONFIG_SCHEMA: JSONSchema = object('Configuration of wstack (~/.wrongstack/config.json).', {
  $schema: { type: 'string', description: 'For editors; ignored.' },
  provider: object('Which model answers.', {
    type: text(
      'anthropic, openai, openai-responses, openai-compatible, scripted, or a type that a plugin registers.',
    ),
    model: text('Name of the model, as the provider spells it.'),
    baseUrl: { type: 'string', pattern: '^https?://', description: "Where the provider's API is." },
    credential: text('Name of the key: an entry of `wstack auth`, or an environment variable.'),
    maxOutputTokens: positive('Most tokens of one answer.'),
    temperature: { type: 'number', minimum: 0, maximum: 2, description: 'Sampling temperature.' },
    script: text('Scripted provider: file of the recorded conversation.'),
  }),
  agent: object('Limits of a run.', {
    maxIterations: positive('Most model turns of one run.'),
    contextTokens: { type: 'integer', minimum: 1_000, description: 'Context budget in tokens.' },
    compactAt: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'Share of the context budget at which older turns are summarised.',
    },
    maxRetries: {
      type: 'integer',
      minimum: 0,
      maximum: 20,
      description: 'Most retries of one model request.',
    },
    maxToolCalls: positive('Most tool calls of one run.'),
    maxCostUsd: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Most US dollars of one run, by `prices`.',
    },
    instructions: { type: 'string', maxLength: 20_000, description: 'Added to the system prompt.' },
    mcpWaitMs: milliseconds(
      'Most milliseconds that a run waits for MCP servers that are still starting; by default 10000 headless, else 3000.',
      0,
    ),
    pluginSetupMs: {
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      description:
        'Most milliseconds that a plugin may take to be imported, and then to be set up; by default 30000.',
    },
    pluginTeardownMs: {
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      description: 'Most milliseconds of the teardown of a plugin; by default 10000.',
    },
  }),
  tools: {
    type: 'object',
    description: 'Per-tool settings, by tool name.',
    // As tools are named: a restriction of `Bash` would restrict nothing.
    propertyNames: { pattern: TOOL_NAME.source },
    additionalProperties: toolSettings,
  },
  prices: {
    type: 'object',
    description: 'US dollars per million tokens, by model.',
    additionalProperties: object(
      'Prices of one model.',
      {
        input: price('Input tokens.'),
        output: price('Output tokens.'),
        cacheRead: price('Input tokens read from a cache.'),
        cacheWrite: price('Input tokens written to a cache.'),
      },
      { required: ['input', 'output'] },
    ),
  },
  plugins: {
    description: 'Plugins: settings by name, or a list of settings that each carry a name.',
    anyOf: [
      { type: 'object', additionalProperties: pluginSettings },
      {
        type: 'array',
        items: {
          ...pluginSettings,
          properties: { name: text('Name of the plugin.'), ...pluginSettings.properties },
          required: ['name'],
        },
      },
    ],
  },
  extensions: {
    type: 'object',
    description: "Plugins' options by plugin name; wins over `plugins`.",
    additionalProperties: { type: 'object' },
  },
  mcp: {
    type: 'object',
    description: 'MCP servers by name. Only this file can name any.',
    propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$' },
    additionalProperties: mcpServer,
  },
  policy: object('Which built-in policy profile is in force where no central policy fixes it.', {
    profile: { enum: ['guide', 'balanced', 'strict'], description: 'The user-tier profile.' },
  }),
  net: object('What tools may reach.', {
    allowPrivateHosts: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'Hosts of an intranet, exactly, that may resolve to private addresses.',
    },
    search: object(
      'Where the search tool asks.',
      {
        url: { type: 'string', pattern: '^https?://', description: 'Address of the search API.' },
        format: { enum: ['searxng', 'brave'], description: 'Which JSON it answers.' },
        credential: text('Name of its key, where it needs one.'),
      },
      { required: ['url', 'format'] },
    ),
  }),
  tasks: object('Background tasks of an API; the command line always runs its own.', {
    driver: {
      enum: ['local', 'redis'],
      description:
        'An API keeps and runs its tasks itself, or hands them to workers over Redis. By default redis where there is a `REDIS_URL`; `TASKS_DRIVER` wins over it. Only read from the file of the account that the API runs as.',
    },
  }),
  metrics: object('Metrics of what runs for long: `wstack acp` and `wstack mcp serve`.', {
    port: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      description:
        'Port on 127.0.0.1 where Prometheus reads them; 0 = any free one, which is printed. By default there is none. With `WRONGSTACK_SCRAPE_TOKEN` set, only for whoever presents it as a bearer.',
    },
  }),
  ui: object('What a person sees.', {
    plain: { type: 'boolean', description: 'No cursor movement, spinner or colour.' },
    color: { enum: ['auto', 'always', 'never'], description: 'When to colour.' },
  }),
  log: object('Diagnostics.', {
    level: { enum: ['debug', 'info', 'warn', 'error'], description: 'Least severe line that is written.' },
  }),
});
