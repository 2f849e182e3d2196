import type { CallId, InnerCallOutcome, ToolOptions, ToolSummary } from '@wrongstack/contracts';
import { builtInTools } from '../built-in-tools.js';
import { codeOfRejection, textOf, toolOptions } from '../test-context.spec-support.js';
import { batchToolUseTool } from './batch-tool-use.tool.js';
import { exampleInput } from './example-input.js';
import { rankTools } from './rank-tools.js';
import { toolHelpTool } from './tool-help.tool.js';
import { toolSearchTool } from './tool-search.tool.js';
import { toolUseTool } from './tool-use.tool.js';

const ctx = {} as never;

const summaries: readonly ToolSummary[] = builtInTools({ environment: {} }).map((tool) => ({
  name: tool.name,
  owner: 'core',
  description: tool.description,
  usageHint: tool.usageHint ?? null,
  category: tool.category ?? null,
  inputSchema: tool.inputSchema,
  permission: tool.permission,
  riskTier: tool.riskTier ?? 'unknown',
  mutating: tool.mutating,
  capabilities: [...(tool.capabilities ?? [])],
}));
const foreign: ToolSummary = {
  name: 'mcp__wiki__page',
  owner: 'mcp:wiki',
  description: 'Fetch a wiki page',
  usageHint: null,
  category: null,
  inputSchema: { type: 'object' },
  permission: 'unknown',
  riskTier: 'unknown',
  mutating: false,
  capabilities: [],
};
const catalogue = { list: () => [...summaries, foreign] };

type Answer = (tool: string, input: unknown) => Partial<InnerCallOutcome>;

/** Handles that remember what ran, and how many ran at once. */
function handles(answer: Answer = () => ({})) {
  const ran: string[] = [];
  let now = 0;
  const seen = { most: 0 };
  const options: ToolOptions = toolOptions({
    catalogue,
    calls: {
      run: async (tool, input) => {
        now += 1;
        seen.most = Math.max(seen.most, now);
        await new Promise(setImmediate);
        now -= 1;
        ran.push(tool);
        const call = `c-${ran.length}` as CallId; // tests name their calls
        return {
          call,
          tool,
          status: 'ok',
          result: { content: [{ type: 'text', text: `${tool} ${JSON.stringify(input)}` }], isError: false },
          ...answer(tool, input),
        };
      },
    },
  });
  return { options, ran, seen };
}

const DENIED: Partial<InnerCallOutcome> = {
  status: 'denied',
  result: { content: [{ type: 'text', text: 'Denied by rule no-bash.' }], isError: true },
};

describe('tool-help', () => {
  const help = (name: string) => toolHelpTool.execute({ name }, ctx, toolOptions({ catalogue }));

  it('explains a tool: usage, capabilities, whether it asks, schema, example', async () => {
    const text = textOf(await help('write'));
    expect(text).toMatch(/^write \(Filesystem\)\n/);
    expect(text).toContain('capabilities: fs.write');
    expect(text).toContain('permission: confirm; asks unless a policy allows it');
    expect(text).toContain('"required"');
    expect(text).toContain('example input:\n{"path":"<path>","content":"<content>"}');
  });

  it('says what a tool does not declare', async () => {
    const text = textOf(await help('mcp__wiki__page'));
    expect(text).toContain('from mcp:wiki');
    expect(text).toContain('capabilities: none declared');
    expect(text).toContain('permission: none declared');
    expect(text).toContain('risk: none declared, counts as standard');
  });

  it('names near tools for a name that is none, as a result', async () => {
    const output = await help('greps');
    expect(output.meta).toEqual({ found: false });
    expect(textOf(output)).toContain('near: grep');
    expect(textOf(await help('__proto__'))).toContain('There is no tool named "__proto__"');
  });
});

describe('an example input', () => {
  it.each([
    [{ type: 'object', required: ['a'], properties: { a: { enum: ['x', 'y'] } } }, { a: 'x' }],
    [{ type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 3 } } }, { n: 3 }],
    [
      { type: 'object', required: ['l'], properties: { l: { type: 'array', items: { type: 'string' } } } },
      { l: ['<l>'] },
    ],
    [{ type: 'object', examples: [{ path: 'a.ts' }] }, { path: 'a.ts' }],
    [{ type: 'object', required: ['toString'] }, { toString: '<toString>' }],
    [{ type: 'object', required: [7, 'ok'], properties: null }, { ok: '<ok>' }],
  ])('of %j is %j', (schema, expected) => {
    // Foreign schemas hold what they like; the first cases are ordinary ones.
    expect(exampleInput(schema as never)).toEqual(expected);
  });

  it('of a schema that contains itself ends', () => {
    const schema: Record<string, unknown> = { type: 'object', required: ['next'] };
    schema['properties'] = { next: schema };
    expect(JSON.stringify(exampleInput(schema))).toContain('next');
  });
});

describe('tool-search', () => {
  const search = (input: { query: string; limit?: number }) =>
    toolSearchTool.execute(input, ctx, toolOptions({ catalogue }));
  const best = (query: string) => rankTools(catalogue.list(), query).map(({ tool }) => tool.name);

  it('puts a tool of that very name first', () => {
    for (const { name } of summaries) expect(best(name)[0]).toBe(name);
  });

  it.each([
    ['search file contents', 'grep'],
    ['run a shell command', 'bash'],
    ['fetch a url', 'fetch'],
    ['wiki', 'mcp__wiki__page'],
  ])('finds by what it does: %s → %s', (query, expected) => {
    expect(best(query).slice(0, 3)).toContain(expected);
  });

  it('finds by capability', () => {
    const writers = summaries
      .filter(({ capabilities }) => capabilities.includes('fs.write'))
      .map(({ name }) => name);
    expect(writers).toContain('edit');
    expect(
      best('fs.write')
        .slice(0, 8)
        .filter((name) => writers.includes(name)).length,
    ).toBeGreaterThanOrEqual(5);
  });

  it('lists one line a tool and says how many more there are', async () => {
    const output = await search({ query: 'file', limit: 1 });
    const [first, more] = textOf(output).split('\n');
    expect(first).toMatch(/^[a-z-]+: .+ \[.+; (runs unasked|asks)/);
    expect(more).toMatch(/more: raise limit/);
  });

  it('says what there is when nothing matches', async () => {
    const output = await search({ query: 'zzzz' });
    expect(output.meta).toEqual({ count: 0 });
    expect(textOf(output)).toContain('No tool matches; there are: read, write');
  });
});

describe('tool-use', () => {
  it('runs the tool with its input and gives its result back', async () => {
    const { options, ran } = handles();
    const output = await toolUseTool.execute({ tool: 'read', input: { path: 'a' } }, ctx, options);
    expect(ran).toEqual(['read']);
    expect(textOf(output)).toBe('read {"path":"a"}');
    expect(output).toMatchObject({
      isError: false,
      meta: { inner: [{ tool: 'read', call: 'c-1', status: 'ok' }] },
    });
  });

  it('fails as the inner call does', async () => {
    const { options } = handles(() => DENIED);
    const output = await toolUseTool.execute({ tool: 'bash' }, ctx, options);
    expect(output.isError).toBe(true);
    expect(textOf(output)).toBe('Denied by rule no-bash.');
  });

  it('says what to do with a call that waits', async () => {
    const { options } = handles(() => ({ status: 'parked' }));
    expect(textOf(await toolUseTool.execute({ tool: 'edit' }, ctx, options))).toContain(
      'When it is approved, call edit directly.',
    );
  });

  it('runs nothing where there are no handles', async () => {
    expect(await codeOfRejection(toolUseTool.execute({ tool: 'read' }, ctx, toolOptions()))).toBe(
      'tool.no_calls',
    );
  });
});

describe('batch-tool-use', () => {
  const calls = (...names: readonly string[]) => names.map((tool) => ({ tool, input: {} }));

  it('runs read-only calls at once and the others in order', async () => {
    const { options, ran, seen } = handles();
    const list = calls('read', 'glob', 'write', 'edit', 'grep');
    const output = await batchToolUseTool.execute({ calls: list }, ctx, options);
    expect(ran).toEqual(['read', 'glob', 'write', 'edit', 'grep']);
    expect(seen.most).toBe(2);
    expect(textOf(output)).toContain('[3/5] write: ok\nwrite {}');
  });

  it('holds a bounded number of them at once', async () => {
    const { options, seen } = handles();
    await batchToolUseTool.execute(
      { calls: calls(...Array.from({ length: 20 }, () => 'read')) },
      ctx,
      options,
    );
    expect(seen.most).toBe(8);
  });

  it('stops at the first failure and says what was not run', async () => {
    const { options, ran } = handles((tool) => (tool === 'bash' ? DENIED : {}));
    const output = await batchToolUseTool.execute({ calls: calls('write', 'bash', 'edit') }, ctx, options);
    expect(ran).toEqual(['write', 'bash']);
    expect(output.isError).toBe(true);
    expect(textOf(output)).toContain('[2/3] bash: denied\nDenied by rule no-bash.');
    expect(textOf(output)).toContain('[3/3] edit: not run');
    expect(output.meta).toEqual({
      inner: [
        { tool: 'write', call: 'c-1', status: 'ok' },
        { tool: 'bash', call: 'c-2', status: 'denied' },
        { tool: 'edit', call: null, status: 'skipped' },
      ],
    });
    const view = batchToolUseTool.presentResult?.(
      { calls: [] },
      { content: [], isError: true, meta: output.meta },
    );
    expect(view?.title).toBe('write ok, bash denied, edit skipped');
  });

  it('goes on where it is told to', async () => {
    const { options, ran } = handles((tool) => (tool === 'bash' ? DENIED : {}));
    const input = { calls: calls('bash', 'edit'), continue_on_error: true };
    const output = await batchToolUseTool.execute(input, ctx, options);
    expect(ran).toEqual(['bash', 'edit']);
    expect(output.isError).toBe(true);
  });

  it('treats a tool that it does not know as one that changes things', async () => {
    const { options, seen } = handles();
    await batchToolUseTool.execute({ calls: calls('nobody', 'nobody') }, ctx, options);
    expect(seen.most).toBe(1);
  });

  it('tells what was done when it is stopped', async () => {
    const controller = new AbortController();
    const { options, ran } = handles(() => {
      controller.abort();
      return {};
    });
    const stopped = { ...options, signal: controller.signal };
    const output = await batchToolUseTool.execute({ calls: calls('write', 'edit') }, ctx, stopped);
    expect(ran).toEqual(['write']);
    expect(textOf(output)).toContain('[2/2] edit: not run');
  });

  it.each([
    ['no list', undefined],
    ['an empty list', []],
    ['too many', Array.from({ length: 21 }, () => ({ tool: 'read' }))],
    ['a call that is none', [7]],
    ['a call without a tool', [{ input: {} }]],
    ['an input that is no object', [{ tool: 'read', input: 'x' }]],
  ])('refuses %s', async (_what, list) => {
    const { options, ran } = handles();
    const input = { calls: list } as never; // wrong on purpose
    expect(await codeOfRejection(batchToolUseTool.execute(input, ctx, options))).toBe('tool.bad_input');
    expect(ran).toEqual([]);
  });
});
