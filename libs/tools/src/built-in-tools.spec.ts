import { chmod } from 'node:fs/promises';
import { Ajv } from 'ajv';
import {
  NO_USAGE,
  TOOL_NAME,
  deepFreeze,
  isCanonicalCapability,
  newId,
  type ContentBlock,
  type JsonValue,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { builtInTools } from './built-in-tools.js';
import { sampleTask } from './task/sample-task.spec-support.js';
import { createTestProject, toolOptions, type TestProject } from './test-context.spec-support.js';
import { BUILT_IN_TOOLS, ToolsModule } from './tools.module.js';

// Real processes on a machine that may be busy.
jest.setTimeout(30_000);

const TASK = sampleTask();
const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const tools = builtInTools({ environment, session: { tighten: () => undefined } });

/** One ordinary input a tool: what every check below runs with. */
const SAMPLES: Readonly<Record<string, JsonValue>> = {
  read: { path: 'a.txt' },
  write: { path: 'b.txt', content: 'one\n' },
  edit: { path: 'a.txt', old_string: 'one', new_string: 'two' },
  glob: { pattern: '**/*.txt', path: '.' },
  grep: { pattern: 'one', glob: '*.txt' },
  tree: { path: '.', depth: 2 },
  bash: { command: 'echo hi; exit 3', cwd: '.' },
  exec: { argv: ['echo', 'hi'] },
  git: { args: ['status', '--short'], paths: ['a.txt'] },
  fetch: { url: 'https://h.test/', limit: 10 },
  search: { query: 'x' },
  memory: { action: 'write', text: 'a fact' },
  search_memory: { query: 'x' },
  find_related_memories: { text: 'x' },
  remember: { text: 'a fact' },
  forget: { id: 'm-0123456789' },
  todo: { items: [{ text: 'x', state: 'done' }] },
  mode: { mode: 'plan' },
  plan: { title: 'x', content: 'y' },
  patch: { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n' },
  replace: { path: 'a.txt', search: 'one', replacement: 'two' },
  diff: { path: 'a.txt', other: 'package.json' },
  lint: { runner: 'npm-script' },
  format: {},
  typecheck: {},
  test: { timeoutMs: 20_000 },
  audit: {},
  outdated: {},
  install: { packages: ['x'] },
  scaffold: { template: 'go', path: 'new-lib' },
  'codebase-index': { query: 'one' },
  task_list: {},
  task_output: { task: TASK.id },
  task_kill: { task: TASK.id },
  'tool-help': { name: 'read' },
  'tool-search': { query: 'read' },
  'tool-use': { tool: 'read', input: { path: 'a.txt' } },
  'batch-tool-use': { calls: [{ tool: 'read', input: { path: 'a.txt' } }] },
  delegate: { task: 'x' },
};

/** What the executor gives to tools that declare the capability: here, tools and subagents that only answer. */
const HANDLES: Partial<ToolOptions> = {
  tasks: {
    list: async () => [TASK],
    get: async () => TASK,
    kill: async () => TASK,
    output: async () => ({
      task: TASK,
      output: { text: 'x', from: 0, next: 1, lost: 0, end: 1, done: true },
    }),
  },
  catalogue: { list: () => [] },
  calls: {
    run: async (tool) => ({
      call: newId('CallId'),
      tool,
      status: 'ok',
      result: { content: [{ type: 'text', text: 'ran' }], isError: false },
    }),
  },
  subagents: {
    run: async () => ({
      name: 'worker',
      session: newId('SessionId'),
      status: 'completed',
      text: 'done',
      error: null,
      turns: 1,
      durationMs: 1,
      usage: NO_USAGE,
      costUsd: null,
      calls: { total: 0, ok: 0, failed: 0, denied: 0 },
      denials: [],
      files: [],
    }),
  },
};

/** They need another host, which their own specs start. */
const REMOTE: readonly string[] = ['fetch', 'search'];

/** They run programs of the project. */
const COMMAND_TOOLS: readonly string[] = [
  'lint',
  'format',
  'typecheck',
  'test',
  'audit',
  'outdated',
  'install',
];

/** A project whose package manager only answers: what the real ones do is for their own specs. */
const PROJECT = {
  'a.txt': 'one\n',
  'package.json': JSON.stringify({ scripts: { lint: 'x', format: 'x', typecheck: 'x', test: 'x' } }),
  'node_modules/.bin/npm': '#!/bin/sh\necho "{}"\n',
};

/** What an old log or a broken model may hold. */
const ODD_INPUTS: readonly unknown[] = [
  {},
  null,
  'text',
  7,
  [],
  { path: 3, argv: 'ls', args: {}, command: [] },
  { argv: [1, null] },
];

const ctx = deepFreeze({ cwd: '/ws/sub', projectRoot: '/ws' });

describe('the built-in tools', () => {
  it('say which of them read what lies below a folder: a rule about a part of it is asked then', () => {
    const reading = tools.filter((tool) =>
      tool.describeCall?.(SAMPLES[tool.name], ctx).paths?.some(({ recursive }) => recursive),
    );
    expect(reading.map(({ name }) => name)).toEqual(['grep', 'replace', 'codebase-index']);
  });

  it('are these, in this order', () => {
    expect(tools.map((tool) => tool.name)).toEqual([
      'read',
      'write',
      'edit',
      'glob',
      'grep',
      'tree',
      'bash',
      'exec',
      'git',
      'fetch',
      'search',
      'memory',
      'search_memory',
      'find_related_memories',
      'remember',
      'forget',
      'todo',
      'mode',
      'plan',
      'patch',
      'replace',
      'diff',
      'lint',
      'format',
      'typecheck',
      'test',
      'audit',
      'outdated',
      'install',
      'scaffold',
      'codebase-index',
      'task_list',
      'task_output',
      'task_kill',
      'tool-help',
      'tool-search',
      'tool-use',
      'batch-tool-use',
      'delegate',
    ]);
  });

  it('need little of the first request', () => {
    const wire = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    }));
    expect(JSON.stringify(wire).length / wire.length).toBeLessThan(600);
  });

  it('are what the module provides under its token', () => {
    const { providers = [], exports } = ToolsModule.forRoot({ environment });
    const [provider] = providers as { provide: symbol; useFactory: () => readonly Tool[] }[];
    expect(provider?.provide).toBe(BUILT_IN_TOOLS);
    expect(exports).toEqual([BUILT_IN_TOOLS]);
    expect(provider?.useFactory().map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
  });

  it.each([
    ['read', 'auto', false, 'safe', ['fs.read']],
    ['glob', 'auto', false, 'safe', ['fs.read']],
    ['grep', 'auto', false, 'safe', ['fs.read']],
    ['tree', 'auto', false, 'safe', ['fs.read']],
    ['write', 'confirm', true, 'standard', ['fs.write']],
    ['edit', 'confirm', true, 'standard', ['fs.write']],
    ['bash', 'confirm', true, 'standard', ['shell.arbitrary']],
    ['exec', 'confirm', true, 'standard', ['shell.restricted']],
    ['git', 'confirm', true, 'standard', ['shell.restricted']],
    ['fetch', 'confirm', false, 'standard', ['net.outbound']],
    ['search', 'confirm', false, 'standard', ['net.outbound']],
    ['memory', 'confirm', true, 'standard', ['memory.read', 'memory.write', 'memory.delete']],
    ['search_memory', 'auto', false, 'safe', ['memory.read']],
    ['find_related_memories', 'auto', false, 'safe', ['memory.read']],
    ['remember', 'confirm', true, 'standard', ['memory.write']],
    ['forget', 'confirm', true, 'standard', ['memory.delete']],
    ['todo', 'auto', false, 'safe', ['session.todo']],
    ['mode', 'auto', false, 'safe', ['session.mode']],
    ['plan', 'confirm', true, 'standard', ['fs.write']],
    ['patch', 'confirm', true, 'standard', ['fs.write']],
    ['replace', 'confirm', true, 'standard', ['fs.write']],
    ['diff', 'auto', false, 'safe', ['fs.read']],
    ['lint', 'confirm', true, 'standard', ['shell.restricted']],
    ['format', 'confirm', true, 'standard', ['shell.restricted']],
    ['typecheck', 'confirm', false, 'standard', ['shell.restricted']],
    ['test', 'confirm', true, 'standard', ['shell.restricted']],
    ['audit', 'confirm', false, 'standard', ['shell.restricted', 'net.outbound']],
    ['outdated', 'confirm', false, 'standard', ['shell.restricted', 'net.outbound']],
    ['install', 'confirm', true, 'standard', ['package.install', 'shell.restricted', 'net.outbound']],
    ['scaffold', 'confirm', true, 'standard', ['fs.write', 'fs.write.outside-project']],
    ['codebase-index', 'auto', false, 'standard', ['fs.read', 'fs.write.outside-project']],
    ['task_list', 'auto', false, 'safe', ['tool.meta']],
    ['task_output', 'auto', false, 'safe', ['tool.meta']],
    ['task_kill', 'auto', false, 'safe', ['tool.meta']],
    ['tool-help', 'auto', false, 'safe', ['tool.meta']],
    ['tool-search', 'auto', false, 'safe', ['tool.meta']],
    ['tool-use', 'auto', true, 'standard', ['tool.mutate.any']],
    ['batch-tool-use', 'auto', true, 'standard', ['tool.mutate.any']],
    ['delegate', 'confirm', true, 'standard', ['subagent.spawn']],
  ])('%s: %s, mutating %s, %s, %j', (name, permission, mutating, riskTier, capabilities) => {
    const tool = tools.find((candidate) => candidate.name === name);
    expect(tool).toMatchObject({ permission, mutating, riskTier, capabilities });
    expect(tool?.riskPerCall === true).toBe([...COMMAND_TOOLS, 'bash', 'exec', 'git'].includes(name));
  });

  describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
    const sample = deepFreeze(SAMPLES[name]);
    let project: TestProject;
    beforeEach(async () => {
      project = await createTestProject(PROJECT);
      await chmod(project.at('node_modules/.bin/npm'), 0o755);
    });
    afterEach(() => project.dispose());

    it('has a legal name, a short description and known capabilities', () => {
      expect(tool.name).toMatch(TOOL_NAME);
      expect(tool.description.length).toBeLessThan(160);
      expect(tool.capabilities?.every(isCanonicalCapability)).toBe(true);
      expect(tool.category).toMatch(/^[A-Z]/);
      expect(tool.timeoutMs).toBeGreaterThan(0);
      expect(tool.maxOutputBytes).toBeGreaterThan(0);
    });

    it('has a schema that compiles, takes the sample and refuses surplus', () => {
      const validate = new Ajv({ strict: true, strictTypes: false }).compile(tool.inputSchema);
      expect(validate(sample)).toBe(true);
      expect(validate({ ...Object(sample), surplus: 1 })).toBe(false);
      expect(validate(null)).toBe(false);
    });

    it('describes a call with every key, twice the same, whatever the input', () => {
      const claims = tool.describeCall?.(sample, ctx);
      expect(Object.keys(claims ?? {}).sort()).toEqual(['command', 'cwd', 'paths', 'urls']);
      expect(tool.describeCall?.(sample, ctx)).toEqual(claims);
      for (const input of ODD_INPUTS) {
        expect(Object.keys(tool.describeCall?.(deepFreeze(input), ctx) ?? {})).toHaveLength(4);
      }
    });

    it('presents calls and results purely, whatever a log holds', () => {
      const results: readonly unknown[] = [
        undefined,
        null,
        {},
        { exitCode: 'x' },
        { diffs: 1 },
        { diffs: [], files: [] },
        { lines: 'x' },
      ];
      const content: readonly ContentBlock[] = [{ type: 'text', text: 'out' }];
      for (const input of [sample, ...ODD_INPUTS.filter((odd) => typeof odd === 'object' && odd !== null)]) {
        deepFreeze(input);
        expect(tool.presentCall?.(input)).toEqual(tool.presentCall?.(input));
        for (const meta of results) {
          for (const isError of [true, false]) {
            const result = deepFreeze({ content, isError, meta });
            const view = tool.presentResult?.(input, result);
            expect(view).toEqual(tool.presentResult?.(input, result));
            expect(['generic', 'terminal', 'diff']).toContain(view?.card);
          }
        }
      }
    });

    it('returns text blocks, and a card that survives a log', async () => {
      if (REMOTE.includes(name)) return;
      const output = await tool.execute(sample, project.ctx, toolOptions(HANDLES));
      const stored = JSON.parse(JSON.stringify(output));
      expect(stored).toEqual(output);
      expect(output.content.length).toBeGreaterThan(0);
      for (const block of output.content)
        expect(block).toEqual({ type: 'text', text: expect.stringMatching(/./) });
      const view = tool.presentResult?.(sample, {
        content: stored.content,
        isError: false,
        meta: stored.meta,
      });
      const cards: Readonly<Record<string, string>> = {
        write: 'diff',
        edit: 'diff',
        bash: 'terminal',
        exec: 'terminal',
        git: 'terminal',
        plan: 'diff',
        patch: 'diff',
        replace: 'diff',
        scaffold: 'diff',
        ...Object.fromEntries(COMMAND_TOOLS.map((command) => [command, 'terminal'])),
      };
      expect(view?.card).toBe(cards[name] ?? 'generic');
    });

    it('streams exactly one final event, last', async () => {
      if (tool.executeStream === undefined || REMOTE.includes(name)) return;
      const types: string[] = [];
      for await (const event of tool.executeStream(sample, project.ctx, toolOptions(HANDLES)))
        types.push(event.type);
      expect(types.filter((type) => type === 'final')).toHaveLength(1);
      expect(types.at(-1)).toBe('final');
    });

    it('does nothing once it is aborted', async () => {
      await expect(tool.execute(sample, project.ctx, { signal: AbortSignal.abort() })).rejects.toThrow();
    });

    it('refuses inputs of another shape with a code', async () => {
      for (const input of [
        null,
        'text',
        { path: 3, pattern: 3, argv: 'x', args: 'x', command: 3, depth: 'x' },
      ]) {
        await expect(tool.execute(input, project.ctx, toolOptions(HANDLES))).rejects.toMatchObject({
          code: 'tool.bad_input',
        });
      }
    });
  });
});
