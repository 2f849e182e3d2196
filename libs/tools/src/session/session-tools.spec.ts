import { deepFreeze, type SessionEntry, type Tool } from '@wrongstack/contracts';
import { Ajv } from 'ajv';
import { mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createModeTool } from './mode.tool.js';
import { planPath } from './plan-file.js';
import { planTool } from './plan.tool.js';
import { createSessionTools } from './session-tools.js';
import { restoreTodo } from './todo-list.js';
import { createTodoTool } from './todo.tool.js';

const content = [{ type: 'text' as const, text: 'out' }];
const result = (meta: unknown, isError = false) => deepFreeze({ content, isError, meta });

describe('session tools', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject();
  });
  afterEach(() => project.dispose());

  const call = async (tool: Tool, input: unknown): Promise<string> =>
    textOf((await tool.execute(input, project.ctx, toolOptions())) as never);
  const refusal = (tool: Tool, input: unknown) => codeOfRejection(call(tool, input));

  it.each([
    ['todo', 'auto', false, 'safe', ['session.todo']],
    ['mode', 'auto', false, 'safe', ['session.mode']],
    ['plan', 'confirm', true, 'standard', ['fs.write']],
  ])('%s: %s, mutating %s, %s, %j', (name, permission, mutating, riskTier, capabilities) => {
    const tool = createSessionTools().find((candidate) => candidate.name === name);
    expect(tool).toMatchObject({ permission, mutating, riskTier, capabilities });
    expect(tool?.describeCall?.({}, { cwd: '/ws', projectRoot: '/ws' })).toEqual({
      paths: [],
      command: null,
      cwd: '/ws',
      urls: [],
    });
  });

  it.each([
    ['todo', { items: [{ text: 'x', state: 'done' }] }],
    ['mode', { mode: 'plan', reason: 'x' }],
    ['plan', { title: 'x', content: 'y' }],
  ])('%s has a closed schema and does nothing once aborted', async (name, input) => {
    let tightened = 0;
    const tools = createSessionTools({ tighten: () => void (tightened += 1) });
    const tool = tools.find((candidate) => candidate.name === name) as Tool;
    const validate = new Ajv({ strict: true }).compile(tool.inputSchema);
    expect([validate(input), validate({ ...input, surplus: 1 })]).toEqual([true, false]);
    await expect(tool.execute(input, project.ctx, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect([tightened, project.entries, project.ctx.meta, await readdir(project.ctx.dataDir)]).toEqual([
      0,
      [],
      {},
      [],
    ]);
  });

  describe('todo', () => {
    const todo = createTodoTool({ clock: { now: () => 0 } });
    const items = [
      { text: 'read', state: 'done' },
      { text: 'write', state: 'in_progress' },
      { text: 'test', state: 'pending' },
    ] as const;

    it('keeps a list, shows it and replaces it', async () => {
      expect(await call(todo, {})).toBe('[the list is empty]');
      expect(await call(todo, { items })).toBe('list kept: 1/3 done, 1 in progress');
      expect(await call(todo, {})).toBe('[x] read\n[~] write\n[ ] test');
      expect(await call(todo, { items: [] })).toBe('list emptied');
      expect(await call(todo, {})).toBe('[the list is empty]');
    });

    it('keeps each item on one line', async () => {
      await call(todo, { items: [{ text: ' a\n\u001b[2J b ', state: 'pending' }] });
      expect(project.ctx.meta['todo']).toEqual([{ text: 'a [2J b', state: 'pending' }]);
    });

    it('writes every change into the session, from which a resumed one has it back', async () => {
      await call(todo, { items });
      await call(todo, { items: items.slice(0, 1) });
      expect(project.entries).toEqual([
        { type: 'todo:changed', ts: '1970-01-01T00:00:00.000Z', items },
        { type: 'todo:changed', ts: '1970-01-01T00:00:00.000Z', items: items.slice(0, 1) },
      ]);
      const meta = {};
      const odd: SessionEntry = { type: 'todo:changed', ts: '', items: [{ text: 7 }] };
      expect(await restoreTodo(meta, [...project.entries, odd])).toEqual(items.slice(0, 1));
      expect(meta).toEqual({ todo: items.slice(0, 1) });
    });

    it('does not trust what else may stand in the shared state', async () => {
      project.ctx.meta['todo'] = 'odd';
      expect(await call(todo, {})).toBe('[the list is empty]');
    });

    it('shows the list on its cards', () => {
      const view = { card: 'generic', title: 'todo · 1/1 done', content: [{ type: 'text', text: '[x] a' }] };
      const input = deepFreeze({ items: [{ text: 'a', state: 'done' }] } as const);
      expect(todo.presentCall?.(input)).toEqual({ ...view, kind: 'think' });
      expect(todo.presentResult?.(deepFreeze({}), result(input))).toEqual(view);
      expect(todo.presentResult?.(deepFreeze({}), result(null))).toEqual({
        card: 'generic',
        title: 'todo',
        content,
      });
      expect(todo.presentCall?.(deepFreeze({ items: 7 }) as never)).toEqual({
        card: 'generic',
        kind: 'think',
        title: 'todo',
      });
    });

    it.each<[string, unknown]>([
      ['no object', null],
      ['items that are no list', { items: 'x' }],
      ['a state of the object prototype', { items: [{ text: 'x', state: 'constructor' }] }],
      ['an item without text', { items: [{ state: 'done' }] }],
      ['a blank item', { items: [{ text: ' \n', state: 'done' }] }],
      ['an item without end', { items: [{ text: 'x'.repeat(301), state: 'done' }] }],
      ['a list without end', { items: Array(51).fill({ text: 'x', state: 'done' }) }],
      ['what it does not know', { path: 3 }],
    ])('refuses %s', async (_what, input) => {
      expect(await refusal(todo, input)).toBe('tool.bad_input');
      expect(project.entries).toEqual([]);
    });
  });

  describe('mode', () => {
    it('puts the session into plan mode through the host', async () => {
      const seen: unknown[] = [];
      const mode = createModeTool({ tighten: (ctx) => void seen.push(ctx.sessionId) });
      expect(await call(mode, { mode: 'plan' })).toBe(
        'plan mode: only reading is allowed now; the person can leave it',
      );
      expect(seen).toEqual(['s-test']);
      expect(project.ctx.meta).toEqual({ requestedMode: 'plan' });
    });

    it('does not say that it did what no host does, or what failed', async () => {
      expect(await refusal(createModeTool(), { mode: 'plan' })).toBe('mode.unavailable');
      const failing = createModeTool({ tighten: async () => Promise.reject(new Error('no')) });
      await expect(call(failing, { mode: 'plan' })).rejects.toThrow('no');
      expect(project.ctx.meta).toEqual({});
    });

    it.each(['default', 'yolo', 'PLAN', '', 'constructor', null, ['plan'], undefined])(
      'has no way to %j',
      async (mode) => {
        let called = 0;
        const tool = createModeTool({ tighten: () => void (called += 1) });
        expect(await refusal(tool, { mode })).toBe('tool.bad_input');
        expect(new Ajv().compile(tool.inputSchema)({ mode })).toBe(false);
        expect(called).toBe(0);
      },
    );

    it('shows why, and whether it came to pass', () => {
      const mode = createModeTool();
      expect(mode.presentCall?.(deepFreeze({ mode: 'plan', reason: 'big change' } as const))).toEqual({
        card: 'generic',
        kind: 'other',
        title: 'switch to plan mode',
        content: [{ type: 'text', text: 'big change' }],
      });
      expect(mode.presentResult?.({ mode: 'plan' }, result(undefined, true))).toEqual({
        card: 'generic',
        title: 'plan mode was not switched on',
        content,
      });
    });
  });

  describe('plan', () => {
    const pathOf = (title: string) => planPath(project.ctx, title);

    it('keeps a plan in a private file of the agent and shows the last one', async () => {
      expect(await call(planTool, {})).toBe('[this session has no plan yet]');
      const path = join(project.ctx.dataDir, 'plans', 's-test.move-the-parser.md');
      expect(await call(planTool, { content: '# Move the parser\n\n1. read\n2. write' })).toBe(
        `plan kept: ${path} +4 -0`,
      );
      expect(await readFile(path, 'utf8')).toBe('# Move the parser\n\n1. read\n2. write\n');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
      expect(await call(planTool, {})).toBe('# Move the parser\n\n1. read\n2. write\n');
    });

    it('replaces the plan of the same title and keeps others', async () => {
      await call(planTool, { title: 'A', content: 'one' });
      await call(planTool, { title: 'B', content: 'two' });
      expect(await call(planTool, { title: 'a!', content: 'three' })).toBe(
        `plan replaced: ${pathOf('a')} +1 -1`,
      );
      expect((await readdir(dirname(pathOf('a')))).sort()).toEqual(['s-test.a.md', 's-test.b.md']);
      expect(await call(planTool, {})).toBe('three\n');
    });

    it.each([
      ['../../etc/passwd', 's-test.etc-passwd.md'],
      ['/abs\0olute', 's-test.abs-olute.md'],
      ['Ünïcode Plan', 's-test.unicode-plan.md'],
      ['x'.repeat(120), `s-test.${'x'.repeat(40)}.md`],
    ])('makes no path of the title %j', (title, name) => {
      expect(pathOf(title)).toBe(join(project.ctx.dataDir, 'plans', name));
    });

    it('tells titles in other scripts and odd sessions apart, inside of its folder', () => {
      const folder = join(project.ctx.dataDir, 'plans');
      const paths = ['计划', '另一个', '...'].map(pathOf);
      expect(new Set(paths).size).toBe(3);
      const odd = planPath({ dataDir: project.ctx.dataDir, sessionId: '../../x' }, 'a');
      expect([...paths, odd].map((path) => dirname(path))).toEqual(Array(4).fill(folder));
    });

    it('writes through no link and leaves nothing half-written', async () => {
      const target = join(project.outside, 'target');
      await writeFile(target, 'theirs');
      await mkdir(dirname(pathOf('a')));
      await symlink(target, pathOf('a'));
      expect(await refusal(planTool, { title: 'a', content: 'x' })).toBe('plan.failed');
      expect(await readFile(target, 'utf8')).toBe('theirs');
      await rm(dirname(pathOf('a')), { recursive: true });
      await writeFile(dirname(pathOf('a')), 'a file where the folder should be');
      expect(await refusal(planTool, { title: 'a', content: 'x' })).toBe('plan.failed');
    });

    it('masks secrets before they reach the disk, and is no change of the project', async () => {
      const scrubStream = () => ({ push: (text: string) => text.replace('hunter2', '***'), end: () => '' });
      const output = await planTool.execute(
        { title: 'a', content: 'use hunter2' },
        project.ctx,
        toolOptions({ scrubStream }),
      );
      expect(await readFile(pathOf('a'), 'utf8')).toBe('use ***\n');
      expect(Object.keys(output.meta as object).sort()).toEqual(['change', 'path']);
    });

    it('shows the plan before it is kept, and what changed after', async () => {
      const input = deepFreeze({ content: '# Big\nstep' });
      expect(planTool.presentCall?.(input)).toEqual({
        card: 'generic',
        kind: 'think',
        title: 'plan: Big',
        content: [{ type: 'text', text: '# Big\nstep' }],
      });
      const { meta } = await planTool.execute(input, project.ctx, toolOptions());
      expect(planTool.presentResult?.(input, result(meta))).toEqual({
        card: 'diff',
        title: 'plan: Big · +2 -0',
        diffs: [{ path: pathOf('Big'), oldText: null, newText: '# Big\nstep', oldStart: 1, newStart: 1 }],
      });
      expect(planTool.presentResult?.(input, result({ change: 7 }))).toEqual({
        card: 'generic',
        title: 'plan: Big',
        content,
      });
    });

    it.each<[string, unknown]>([
      ['no object', 'x'],
      ['empty content', { content: '' }],
      ['blank content', { content: ' \n ' }],
      ['content without end', { content: 'x'.repeat(50_001) }],
      ['a title without end', { content: 'x', title: 'x'.repeat(121) }],
      ['a title of another type', { content: 'x', title: 7 }],
      ['what it does not know', { path: 'x' }],
    ])('refuses %s', async (_what, input) => {
      expect(await refusal(planTool, input)).toBe('tool.bad_input');
    });
  });
});
