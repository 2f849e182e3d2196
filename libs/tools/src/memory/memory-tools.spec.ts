import { deepFreeze, type Tool } from '@wrongstack/contracts';
import { Ajv } from 'ajv';
import { readFile } from 'node:fs/promises';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { memoryContributor } from './memory-contributor.js';
import { MemoryStore, memoryPath } from './memory-store.js';
import { createMemoryTools } from './memory-tools.js';

describe('memory tools', () => {
  let project: TestProject;
  let tools: readonly Tool[];
  let store: MemoryStore;
  beforeEach(async () => {
    project = await createTestProject();
    let now = Date.parse('2026-01-31T12:00:00Z');
    let byte = 0;
    store = new MemoryStore({ now: () => (now += 1000) }, (size) => new Uint8Array(size).fill((byte += 1)));
    tools = createMemoryTools(store);
  });
  afterEach(() => project.dispose());

  const toolCalled = (name: string): Tool => {
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  };
  const call = async (name: string, input: unknown): Promise<string> =>
    textOf((await toolCalled(name).execute(input, project.ctx, toolOptions())) as never);
  const refusal = (name: string, input: unknown) => codeOfRejection(call(name, input));

  it.each([
    ['memory', 'confirm', true, 'standard', ['memory.read', 'memory.write', 'memory.delete']],
    ['search_memory', 'auto', false, 'safe', ['memory.read']],
    ['find_related_memories', 'auto', false, 'safe', ['memory.read']],
    ['remember', 'confirm', true, 'standard', ['memory.write']],
    ['forget', 'confirm', true, 'standard', ['memory.delete']],
  ])('%s: %s, mutating %s, %s, %j', (name, permission, mutating, riskTier, capabilities) => {
    expect(toolCalled(name)).toMatchObject({ permission, mutating, riskTier, capabilities });
  });

  it('remembers, finds with the source, and forgets', async () => {
    expect(await call('remember', { text: 'Use pnpm here', tags: ['tooling', 'build step'] })).toBe(
      'remembered m-0101010101 (project)',
    );
    expect(await call('search_memory', { query: 'PNPM' })).toBe(
      'm-0101010101 (project, 2026-01-31, by agent in s-test) #tooling #build-step\nUse pnpm here',
    );
    expect(await call('remember', { text: 'Use pnpm here', tags: ['tooling', 'build step'] })).toBe(
      'already remembered m-0101010101 (project)',
    );
    expect(await call('forget', { id: 'm-0101010101' })).toBe('forgot m-0101010101 (project)');
    expect(await call('search_memory', { query: 'pnpm' })).toBe('[no memory has these words]');
    expect(await call('forget', { id: 'm-0101010101' })).toBe('[no memory has the id m-0101010101]');
  });

  it('does all of it through the one tool', async () => {
    expect(await call('memory', { action: 'read' })).toBe('[nothing is remembered yet]');
    expect(await call('memory', { action: 'write', text: 'a fact', scope: 'user' })).toBe(
      'remembered m-0101010101 (user)',
    );
    expect(await call('memory', { action: 'write', text: 'a better fact', id: 'm-0101010101' })).toBe(
      'changed m-0101010101 (user)',
    );
    expect(await call('memory', { action: 'read', id: 'm-0101010101' })).toContain('a better fact');
    expect(await call('memory', { action: 'search', query: 'better' })).toContain('m-0101010101 (user');
    expect(await call('memory', { action: 'search', query: 'better', scope: 'project' })).toBe(
      '[no memory has these words]',
    );
    expect(await call('memory', { action: 'delete', id: 'm-0101010101' })).toBe('forgot m-0101010101 (user)');
    expect(await call('memory', { action: 'read', id: 'm-0101010101' })).toBe(
      '[no memory has the id m-0101010101]',
    );
    expect(await call('memory', { action: 'write', text: 'x', id: 'm-0101010101' })).toBe(
      '[no memory has the id m-0101010101]',
    );
  });

  it('finds what is related to a memory and to a text', async () => {
    await call('remember', { text: 'The staging database resets at night' });
    await call('remember', { text: 'make reset-db resets the staging database' });
    await call('remember', { text: 'tabs, not spaces' });
    expect(await call('find_related_memories', { id: 'm-0101010101' })).toMatch(
      /^m-0202020202 .*\nmake reset-db/,
    );
    expect(await call('find_related_memories', { text: 'spaces or tabs?' })).toMatch(
      /^m-0303030303 .*\ntabs/,
    );
    expect(await call('find_related_memories', { text: 'zebra' })).toBe('[no memory is related]');
    expect(await call('find_related_memories', { id: 'm-ffffffffff' })).toBe(
      '[no memory has the id m-ffffffffff]',
    );
  });

  it('bounds what it shows', async () => {
    for (let n = 0; n < 10; n += 1) await call('remember', { text: `fact ${n} ${'x'.repeat(1_900)}` });
    const shown = await call('search_memory', { query: 'fact' });
    expect(shown.length).toBeLessThan(8 * 800);
    expect(shown).toMatch(/\[2 more\]$/);
    expect(await call('memory', { action: 'read', id: 'm-0101010101' })).toHaveLength(
      1_907 + '(project, 2026-01-31, by agent in s-test)'.length + 14,
    );
  });

  it('masks secrets before they reach the disk, and drops control characters', async () => {
    const scrubStream = () => ({ push: (text: string) => text.replace('hunter2', '***'), end: () => '' });
    await toolCalled('remember').execute(
      { text: '\u001b[31mpassword hunter2\u202e\r\nsecond \ud800line', tags: ['hunter2'] },
      project.ctx,
      toolOptions({ scrubStream }),
    );
    const stored = await readFile(await memoryPath(project.ctx, 'project'), 'utf8');
    expect(JSON.parse(stored)).toMatchObject({ text: '[31mpassword *** \nsecond \ufffdline', tags: ['***'] });
  });

  it.each<[string, string, unknown]>([
    ['memory', 'no action', {}],
    ['memory', 'an action of the object prototype', { action: 'constructor' }],
    ['memory', 'a search without words', { action: 'search' }],
    ['memory', 'a write without text', { action: 'write' }],
    ['memory', 'a deletion without id', { action: 'delete' }],
    ['search_memory', 'no query', {}],
    ['search_memory', 'an unknown scope', { query: 'x', scope: 'team' }],
    ['search_memory', 'too many', { query: 'x', limit: 21 }],
    ['find_related_memories', 'neither id nor text', {}],
    ['find_related_memories', 'an id that is a path', { id: '../x' }],
    ['remember', 'no text', {}],
    ['remember', 'blank text', { text: ' \n\u0000' }],
    ['remember', 'text without end', { text: 'x'.repeat(2_001) }],
    ['remember', 'too many tags', { text: 'x', tags: Array(9).fill('t') }],
    ['remember', 'an empty tag', { text: 'x', tags: [''] }],
    ['forget', 'no id', {}],
    ['forget', 'an id of another form', { id: 'm-1' }],
  ])('%s refuses %s', async (name, _what, input) => {
    expect(await refusal(name, input)).toBe('tool.bad_input');
  });

  it.each(['memory', 'search_memory', 'find_related_memories', 'remember', 'forget'])(
    '%s has a closed schema, claims nothing and does nothing once aborted',
    async (name) => {
      const tool = toolCalled(name);
      const inputs: Readonly<Record<string, object>> = {
        memory: { action: 'write', text: 'x' },
        search_memory: { query: 'x' },
        find_related_memories: { text: 'x' },
        remember: { text: 'x' },
        forget: { id: 'm-0101010101' },
      };
      const input = deepFreeze(inputs[name]);
      const validate = new Ajv({ strict: true }).compile(tool.inputSchema);
      expect([validate(input), validate({ ...input, surplus: 1 })]).toEqual([true, false]);
      expect(tool.describeCall?.(input, { cwd: '/ws', projectRoot: '/ws' })).toEqual({
        paths: [],
        command: null,
        cwd: '/ws',
        urls: [],
      });
      await expect(tool.execute(input, project.ctx, { signal: AbortSignal.abort() })).rejects.toThrow();
      expect(await store.all(project.ctx)).toEqual([]);
    },
  );

  it('shows what will be kept, where, and what was found or is gone', () => {
    const content = [{ type: 'text' as const, text: 'out' }];
    const result = (meta: unknown) => deepFreeze({ content, isError: false, meta });
    const remember = toolCalled('remember');
    expect(remember.presentCall?.(deepFreeze({ text: 'a fact', scope: 'user' }))).toEqual({
      card: 'generic',
      kind: 'other',
      title: 'remember in all projects',
      content: [{ type: 'text', text: 'a fact' }],
    });
    expect(remember.presentResult?.({ text: 'a fact\nmore' }, result({}))).toEqual({
      card: 'generic',
      title: 'remember · a fact',
      content,
    });
    expect(toolCalled('search_memory').presentResult?.({ query: 'x' }, result({ memories: 2 }))).toEqual({
      card: 'generic',
      title: 'x · 2 found',
      content,
    });
    expect(toolCalled('find_related_memories').presentCall?.({ text: 'x' })).toEqual({
      card: 'generic',
      kind: 'search',
      title: 'related to x',
    });
    expect(toolCalled('forget').presentResult?.({ id: 'm-1' }, result({ text: 'gone' }))).toEqual({
      card: 'generic',
      title: 'forget m-1',
      content: [{ type: 'text', text: 'gone' }],
    });
    expect(toolCalled('memory').presentCall?.({ action: 'delete', id: 'm-1' })).toEqual({
      card: 'generic',
      kind: 'delete',
      title: 'memory delete m-1',
    });
  });

  describe('in the system prompt', () => {
    const contributed = async (maxBytes?: number) => {
      const blocks = await memoryContributor(store, maxBytes === undefined ? {} : { maxBytes })(project.ctx);
      return blocks.map((block) => (block.type === 'text' ? block.text : ''));
    };

    it('adds nothing while nothing is remembered', async () => {
      expect(await contributed()).toEqual([]);
    });

    it('lists the project before the user, one line each', async () => {
      await call('remember', { text: 'in the\nproject' });
      await call('remember', { text: 'of the user', scope: 'user' });
      expect((await contributed())[0]?.split('\n').slice(2)).toEqual([
        '- [m-0101010101, project, 2026-01-31] in the project',
        '- [m-0202020202, user, 2026-01-31] of the user',
      ]);
    });

    it('stays within its bytes and says that there is more', async () => {
      for (let n = 0; n < 30; n += 1) await call('remember', { text: `fact ${n} ${'ä'.repeat(300)}` });
      const [text = ''] = await contributed();
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
      expect(text).toMatch(/\n- 27 more: search_memory finds them$/);
      expect(text).toContain('fact 29');
      expect(await contributed(10)).toEqual([]);
    });
  });
});
