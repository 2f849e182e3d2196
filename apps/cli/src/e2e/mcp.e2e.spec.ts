import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ended, jsonLines, Sandbox } from './cli-process.spec-support.js';

jest.setTimeout(60_000);

const npm = (name: string): string =>
  path.resolve(__dirname, `../../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

describe('MCP servers in the built program', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await Sandbox.create({ 'a.txt': 'from disk' });
  });
  afterEach(() => sandbox.remove());

  const call = (tool: string, input: unknown, ...flags: string[]) =>
    sandbox.run(['tool', 'call', tool, JSON.stringify(input), ...flags], {
      env: { OPENAI_API_KEY: 'secret-of-a-model', WRONGSTACK_TOKEN: 'secret-of-ours' },
    });

  it('are governed: unpinned calls are denied headless whatever YOLO says, pinned ones are ordinary', async () => {
    await sandbox.configure({
      mcp: { everything: { command: process.execPath, args: [npm('everything'), 'stdio'], env: { A: '1' } } },
    });
    const unpinned = await call('mcp__everything__echo', { message: 'hi' }, '--yolo');
    expect([unpinned.code, unpinned.stdout]).toEqual([3, expect.stringContaining('not pinned')]);
    expect((await sandbox.run(['mcp', 'pin', 'everything'])).code).toBe(0);
    expect(await call('mcp__everything__echo', { message: 'hi' })).toMatchObject({ code: 3 });
    expect(await call('mcp__everything__echo', { message: 'hi' }, '--yolo')).toMatchObject({
      code: 0,
      stdout: 'Echo: hi\n',
    });
    expect(await call('mcp__everything__echo', { message: 7 }, '--yolo')).toMatchObject({
      stdout: expect.stringContaining('/message: must be string'),
    });
    const { stdout } = await call('mcp__everything__get-env', {}, '--yolo');
    expect(stdout).toContain('"A": "1"');
    expect(stdout).not.toMatch(/secret-of|OPENAI_API_KEY|WRONGSTACK_TOKEN/);
    const [decision] = readdirJson(path.join(sandbox.home, '.wrongstack/audit'), 'mcp__everything__echo');
    expect(decision).toContain('"mcp"');
  });

  it('are allowed by a policy that names them: server-filesystem and server-memory', async () => {
    await sandbox.configure({
      mcp: {
        files: { command: process.execPath, args: [npm('filesystem'), sandbox.project] },
        memory: {
          command: process.execPath,
          args: [npm('memory')],
          env: { MEMORY_FILE_PATH: path.join(sandbox.root, 'memory.json') },
        },
      },
    });
    await sandbox.write(
      '~/.wrongstack/policy.yaml',
      'apiVersion: policy.wrongstack/v1\nkind: CapabilityPolicy\nmetadata: { id: mine, revision: 1, scope: { tier: user, ref: me }, owner: me }\nrules:\n' +
        '  - { id: reads, effect: allow, actions: [mcp.proxy], when: { tool: [mcp__files__read_text_file, "mcp__memory__*"] }, because: I use them }\n' +
        '  - { id: no-writes, effect: deny, actions: [mcp.proxy], when: { tool: ["mcp__files__write*"] }, because: Ours writes }\n',
    );
    for (const server of ['files', 'memory']) await sandbox.run(['mcp', 'pin', server]);
    expect(
      await call('mcp__files__read_text_file', { path: path.join(sandbox.project, 'a.txt') }),
    ).toMatchObject({
      code: 0,
      stdout: 'from disk\n',
    });
    expect(
      await call(
        'mcp__files__write_file',
        { path: path.join(sandbox.project, 'b.txt'), content: '' },
        '--yolo',
      ),
    ).toMatchObject({ code: 3, stdout: expect.stringContaining('no-writes') });
    const entities = [{ name: 'Mira', entityType: 'person', observations: ['likes tea'] }];
    expect((await call('mcp__memory__create_entities', { entities })).code).toBe(0);
    expect((await call('mcp__memory__read_graph', {})).stdout).toContain('likes tea');
  });

  it('are for the agent that the person talks to: a subagent may call none of them, YOLO or not', async () => {
    const echo = { tool: 'mcp__everything__echo', input: { message: 'hi' } };
    const turns = [
      { calls: [{ tool: 'delegate', input: { task: 'echo hi', name: 'helper' } }] },
      { calls: [echo] },
      { text: 'done' },
    ];
    // Each of the two plays the same turns: the helper may not delegate any further.
    await sandbox.configure({
      provider: {
        type: 'scripted',
        model: 'script',
        script: await sandbox.write('../script.json', JSON.stringify({ turns })),
      },
      agent: { mcpWaitMs: 60_000 },
      mcp: { everything: { command: process.execPath, args: [npm('everything'), 'stdio'] } },
    });
    expect((await sandbox.run(['mcp', 'pin', 'everything'])).code).toBe(0);
    const { stdout } = await sandbox.run(['run', 'hi', '--yolo', '--output', 'stream-json']);
    const executed = jsonLines(stdout).filter(({ type }) => type === 'tool.executed');
    const about = (words: string): unknown[] =>
      executed.filter(({ output }) => JSON.stringify(output).includes(words)).map(({ agent }) => agent);
    // The second is the helper's report to its parent.
    expect(about('mcp.proxy is not for subagents')).toEqual(['helper', 'main']);
    expect(about('Echo: hi')).toEqual(['main']);
  });

  it('are named by the person alone: what a repository asks for is ignored', async () => {
    const canary = path.join(sandbox.root, 'CANARY');
    await sandbox.write(
      '.wrongstack/config.json',
      JSON.stringify({ mcp: { evil: { command: 'touch', args: [canary] } } }),
    );
    expect((await sandbox.run(['mcp', 'list'])).stdout).toContain('no MCP servers');
    expect(spawnSync('ls', [canary]).status).not.toBe(0);
  });

  it('that do not start are a line in the list, and the others work', async () => {
    await sandbox.configure({
      mcp: {
        broken: { command: '/nowhere' },
        off: { command: '/nowhere', enabled: false },
        everything: { command: process.execPath, args: [npm('everything'), 'stdio'] },
      },
    });
    const { stdout } = await sandbox.run(['mcp', 'list', '--json']);
    const states = (JSON.parse(stdout) as { name: string; state: string }[]).map(
      ({ name, state }) => `${name} ${state}`,
    );
    expect(states.sort()).toEqual(['broken failed', 'everything ready', 'off stopped']);
  });

  it('leave no process behind, not even one behind a shell, when the program is ended', async () => {
    const mark = `mark-${String(process.pid)}`;
    await sandbox.configure({
      mcp: {
        shell: {
          command: 'sh',
          args: ['-c', `node ${npm('everything')} stdio ${mark} & wait`],
          startTimeoutMs: 20_000,
        },
      },
    });
    const running = (): string => spawnSync('ps', ['-eo', 'stat,args'], { encoding: 'utf8' }).stdout;
    const alive = (): boolean =>
      running()
        .split('\n')
        .some((row) => row.includes(mark) && !row.startsWith('Z'));
    const child = sandbox.start(['mcp', 'list']);
    const end = ended(child);
    while (!alive()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGTERM');
    await end;
    for (let tries = 0; alive() && tries < 150; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(alive()).toBe(false);
  });

  describe('that are slow', () => {
    const FIXTURE = path.resolve(__dirname, '../../../../libs/mcp/src/testing/fixture-server.cjs');
    const LONG = 3_600_000;

    const configure = async (agent: Record<string, unknown>, servers: Record<string, readonly string[]>) => {
      const folder = path.dirname(await sandbox.write('../server/tools.json', OFFERED));
      const script = await sandbox.write('../script.json', SCRIPT);
      await sandbox.configure({
        agent,
        provider: { type: 'scripted', model: 'script', script },
        mcp: Object.fromEntries(
          Object.entries(servers).map(([name, flags]) => [
            name,
            { command: process.execPath, args: [FIXTURE, folder, ...flags], startTimeoutMs: LONG },
          ]),
        ),
      });
    };
    const OFFERED = JSON.stringify([{ name: 'quick', inputSchema: { type: 'object', properties: {} } }]);
    const SCRIPT = JSON.stringify({ turns: [{ text: 'done' }] });

    it('hold up no run for longer than it says: it goes on without their tools and names them', async () => {
      // An hour is far beyond what this test may take: it ends only because nobody waits that long.
      await configure({ mcpWaitMs: 200 }, { mute: [`--late=${String(LONG)}`] });
      const { code, stdout, stderr } = await sandbox.run(['run', 'hello']);
      expect([code, stdout]).toEqual([0, 'done\n']);
      expect(stderr).toContain('MCP server mute is still starting');
      const events = jsonLines((await sandbox.run(['run', 'hello', '--output', 'stream-json'])).stdout);
      expect(events[0]).toMatchObject({ type: 'run.started' });
      expect(events[1]).toMatchObject({ type: 'error', code: 'mcp.still_starting', fatal: false });
      expect(events.at(-1)).toMatchObject({ type: 'result', status: 'completed' });
    });

    it('are there for the first request when they come up in time', async () => {
      await configure({ mcpWaitMs: 60_000 }, { late: ['--late=1200'] });
      const events = jsonLines((await sandbox.run(['run', 'hello', '--output', 'stream-json'])).stdout);
      expect(events[0]).toMatchObject({ tools: expect.arrayContaining(['mcp__late__quick']) });
      expect(events.some(({ type }) => type === 'error')).toBe(false);
    });

    it('are waited for by a command that is about them, and by no other', async () => {
      await configure({ mcpWaitMs: 0 }, { late: ['--late=1200'] });
      expect((await sandbox.run(['mcp', 'list'])).stdout).toMatch(/late +ready/);
      expect(await call('mcp__late__quick', {})).toMatchObject({
        code: 3,
        stdout: expect.stringContaining('not pinned'),
      });
      await configure({ mcpWaitMs: 0 }, { mute: [`--late=${String(LONG)}`] });
      await sandbox.write('a.txt', 'from disk');
      expect((await call('read', { path: 'a.txt' })).stdout).toContain('from disk');
    });

    it('and fail are told of once, with the reason, and cost nobody the run', async () => {
      await sandbox.configure({
        provider: {
          type: 'scripted',
          model: 'script',
          script: await sandbox.write('../script.json', SCRIPT),
        },
        mcp: { broken: { command: '/nowhere' } },
      });
      const { code, stdout, stderr } = await sandbox.run(['run', 'hello']);
      expect([code, stdout]).toEqual([0, 'done\n']);
      expect(stderr.match(/MCP server broken: cannot be started/g)).toHaveLength(1);
    });
  });
});

function readdirJson(folder: string, word: string): readonly string[] {
  const { stdout } = spawnSync('grep', ['-rl', word, folder], { encoding: 'utf8' });
  const [file] = stdout.trim().split('\n');
  return file === undefined || file === ''
    ? []
    : readFileSync(file, 'utf8')
        .split('\n')
        .filter((row) => row.includes(word));
}
