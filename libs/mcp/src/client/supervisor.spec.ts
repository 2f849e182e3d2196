import { rmSync, writeFileSync } from 'node:fs';
import { eventually, isRunning, McpFixture, SERVER, tool } from '../testing/fixture.spec-support.js';

describe('MCP servers', () => {
  let mcp: McpFixture;
  beforeEach(() => {
    mcp = new McpFixture();
  });
  afterEach(() => mcp.dispose());

  const registered = (): readonly string[] => mcp.tools.list().map(({ name }) => name);
  const offered = (): readonly unknown[] => mcp.supervisor.details()[0]?.offered ?? [];

  it('offers a server’s tools under names that models can call, always asked for and as proxies', async () => {
    mcp.offer([
      tool('Search.Files', { annotations: { readOnlyHint: true } }),
      tool('wipe', { annotations: { destructiveHint: true } }),
    ]);
    await mcp.start({ name: 'My.Server' });
    expect(mcp.tools.list()).toMatchObject([
      {
        name: 'mcp__my_server__search_files',
        owner: 'mcp:My.Server',
        permission: 'confirm',
        mutating: true,
        riskTier: 'standard',
        capabilities: ['mcp.proxy'],
        mcp: { server: 'My.Server', pinned: false, commandDigest: expect.stringMatching(/^sha256:/) },
      },
      { name: 'mcp__my_server__wipe', riskTier: 'destructive' },
    ]);
    expect(await mcp.call('mcp__my_server__search_files', { q: 'a' })).toBe('{"q":"a"}');
    expect(mcp.log()).toContain('call Search.Files {"q":"a"}');
  });

  it('keeps long names within 64 characters and apart', async () => {
    mcp.offer([tool(`${'a'.repeat(70)}1`), tool(`${'a'.repeat(70)}2`)]);
    await mcp.start();
    const names = registered();
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => name.length <= 64)).toBe(true);
  });

  it('leaves out what cannot be offered, says why, and offers the rest', async () => {
    mcp.offer([
      tool('bad_schema', { inputSchema: { type: 'object', properties: { q: { type: 'nonsense' } } } }),
      { name: 'no_schema' },
      { description: 'no name' },
      'no tool at all',
      tool('do.it'),
      tool('do_it'),
      tool('good'),
    ]);
    await mcp.start();
    expect(registered()).toEqual(['mcp__x__do_it', 'mcp__x__good']);
    expect(offered()).toMatchObject([
      { tool: 'do.it', refused: null },
      { tool: 'good' },
      { tool: 'no_schema', refused: 'its inputSchema is no object' },
      { tool: '(nameless)' },
      { tool: '(nameless)' },
      { tool: 'bad_schema', refused: expect.stringContaining('does not compile') },
      { tool: 'do_it', refused: 'its name would be mcp__x__do_it, which is do.it' },
    ]);
  });

  it('does not take the place of a tool that is there already', async () => {
    mcp.tools.register(
      {
        ...tool('x'),
        name: 'mcp__x__taken',
        permission: 'auto',
        mutating: false,
        execute: async () => '',
      } as never,
      'somebody',
    );
    mcp.offer([tool('taken')]);
    await mcp.start();
    expect(mcp.tools.get('mcp__x__taken')?.owner).toBe('somebody');
    expect(offered()).toMatchObject([
      { tool: 'taken', refused: expect.stringContaining('already registered') },
    ]);
  });

  it('refuses a second server whose names would be the first one’s', async () => {
    await mcp.start({ name: 'a-b' });
    await expect(mcp.start({ name: 'A-B' })).rejects.toMatchObject({ code: 'mcp.server_exists' });
  });

  it('gives a server PATH, HOME and what it was configured with, and no other variable', async () => {
    process.env['OPENAI_API_KEY'] = 'k';
    mcp.offer([tool('env')]);
    await mcp.start({ env: { A: '1' } });
    const environment = JSON.parse(await mcp.call('mcp__x__env')) as Record<string, string>;
    delete process.env['OPENAI_API_KEY'];
    expect(environment).toMatchObject({ A: '1', HOME: '/home/somebody' });
    expect(Object.keys(environment).sort()).toEqual(['A', 'HOME', 'PATH']);
  });

  it('hands over a stored credential by name, and does not start without it', async () => {
    mcp = new McpFixture({ credential: async (name) => (name === 'TOKEN' ? 'secret' : undefined) });
    mcp.offer([tool('env')]);
    await mcp.start({ credentials: ['TOKEN'] });
    expect(await mcp.call('mcp__x__env')).toContain('"TOKEN":"secret"');
    await expect(mcp.start({ name: 'y', credentials: ['OTHER'] })).rejects.toMatchObject({
      code: 'mcp.start_failed',
      hint: 'wstack auth set OTHER',
    });
  });

  describe('when a call does not end', () => {
    it('gives up after its time, tells the server, does not repeat it and keeps the connection', async () => {
      mcp.offer([tool('slow'), tool('quick')]);
      await mcp.start({ timeoutMs: 100 });
      await expect(mcp.call('mcp__x__slow')).rejects.toMatchObject({ code: 'mcp.call_timeout' });
      await eventually(() => mcp.log().includes('cancelled'), 'the server hears of it');
      expect(await mcp.call('mcp__x__quick', { q: 'still here' })).toContain('still here');
      expect(mcp.log().filter((line) => line.startsWith('call slow'))).toHaveLength(1);
      expect(mcp.pids()).toHaveLength(1);
      expect(mcp.supervisor.list()).toMatchObject([{ state: 'ready' }]);
    });

    it('tells the server when it is interrupted', async () => {
      mcp.offer([tool('slow')]);
      await mcp.start();
      const controller = new AbortController();
      const call = mcp.call('mcp__x__slow', {}, controller.signal);
      await eventually(() => mcp.log().includes('call slow {}'), 'the call arrives');
      controller.abort(new DOMException('interrupted', 'AbortError'));
      await expect(call).rejects.toMatchObject({ name: 'AbortError' });
      await eventually(() => mcp.log().includes('cancelled'), 'the server hears of it');
    });

    it('passes on what the server says went wrong', async () => {
      mcp.offer([tool('fail')]);
      await mcp.start();
      await expect(mcp.call('mcp__x__fail')).rejects.toMatchObject({
        code: 'mcp.call_failed',
        message: expect.stringContaining('it broke'),
      });
    });
  });

  describe('when a server goes away', () => {
    it('says that the call may have been done, and comes back by itself', async () => {
      mcp.offer([tool('crash'), tool('quick')]);
      await mcp.start();
      await expect(mcp.call('mcp__x__crash')).rejects.toMatchObject({ code: 'mcp.closed' });
      await eventually(() => mcp.supervisor.list()[0]?.state === 'ready', 'it is back');
      expect(await mcp.call('mcp__x__quick', { q: 'back' })).toContain('back');
      expect(mcp.log().filter((line) => line.startsWith('call crash'))).toHaveLength(1);
      expect(mcp.counted()).toEqual(['starts ready 1', 'reconnects ready 1']);
    });

    it('waits longer each time, gives up at last, and takes the tools away', async () => {
      mcp.offer([tool('crash')]);
      await mcp.start();
      const crashing = mcp.call('mcp__x__crash');
      writeFileSync(`${mcp.folder}/down`, '');
      await expect(crashing).rejects.toMatchObject({ code: 'mcp.closed' });
      await eventually(() => mcp.supervisor.list()[0]?.state === 'failed', 'it is given up');
      expect(mcp.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
      expect(registered()).toEqual([]);
      expect(mcp.counted()).toEqual(['starts ready 1', 'reconnects given_up 1']);
      rmSync(`${mcp.folder}/down`);
      mcp.offer([tool('quick')]);
      await mcp.supervisor.restart('x');
      expect(registered()).toEqual(['mcp__x__quick']);
    }, 20_000);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a program that is not there', { command: '/nowhere/to/be/found', args: [] }, 'mcp.start_failed'],
    [
      'a program that ends with a word',
      { args: ['-e', 'console.error("no licence"); process.exit(3)'] },
      'mcp.start_failed',
    ],
    ['a program that says nothing', { args: ['-e', 'setInterval(() => 0, 1e3)'] }, 'mcp.start_timeout'],
    ['a name that is a path', { name: '../x' }, 'mcp.invalid_config'],
    ['no program', { command: '' }, 'mcp.invalid_config'],
    [
      'an address without encryption',
      { url: 'http://example.com/mcp', transport: 'http' },
      'mcp.invalid_config',
    ],
    [
      'an address with a password',
      { url: 'https://a:b@example.com/', transport: 'http' },
      'mcp.invalid_config',
    ],
  ])('fails with a code for %s, and leaves nothing', async (_what, config, code) => {
    await expect(mcp.start({ startTimeoutMs: 300, ...config })).rejects.toMatchObject({ code });
    expect(registered()).toEqual([]);
    expect(mcp.supervisor.list().every(({ state }) => state === 'failed')).toBe(true);
  });

  it('shows the last words of a program that did not start', async () => {
    await expect(mcp.start({ args: ['-e', 'console.error("no licence"); process.exit(3)'] })).rejects.toThrow(
      /no licence/,
    );
  });

  it('reads past lines that are no messages', async () => {
    mcp.offer([tool('quick')]);
    await mcp.start({}, ['--noise']);
    expect(registered()).toEqual(['mcp__x__quick']);
  });

  describe('at the end', () => {
    it.each([
      ['a server behind a shell', []],
      ['a server that ignores TERM', ['--stubborn']],
    ])('leaves no process of %s', async (_what, flags) => {
      mcp.offer([tool('quick')]);
      const line = `exec 3<&0; "${process.execPath}" "${SERVER}" "${mcp.folder}" ${flags.join(' ')} <&3 & wait`;
      await mcp.supervisor.start({ name: 'x', command: 'sh', args: ['-c', line] });
      const [pid = 0] = mcp.pids();
      expect(isRunning(pid)).toBe(true);
      await mcp.supervisor.close();
      expect(isRunning(pid)).toBe(false);
    });

    it('leaves nothing registered, however often it was started and stopped', async () => {
      mcp.offer([tool('quick')]);
      for (let round = 0; round < 5; round += 1) {
        await mcp.start();
        expect(registered()).toEqual(['mcp__x__quick']);
        await mcp.supervisor.stop('x');
        expect(registered()).toEqual([]);
      }
      expect(mcp.pids().filter(isRunning)).toEqual([]);
      await expect(mcp.supervisor.stop('x')).rejects.toMatchObject({ code: 'mcp.unknown_server' });
    });
  });
});

describe('MCP servers that are begun', () => {
  let mcp: McpFixture;
  beforeEach(() => {
    mcp = new McpFixture();
  });
  afterEach(() => mcp.dispose());

  const never = new AbortController().signal;
  const SILENT = ['-e', 'setInterval(() => 0, 1e3)'];

  it('are waited for by whoever needs them, and no longer than asked', async () => {
    mcp.offer([tool('quick')]);
    mcp.supervisor.configure([
      mcp.config({ name: 'late' }, ['--late=400']),
      mcp.config({ name: 'off', enabled: false }),
    ]);
    mcp.supervisor.beginConfigured();
    expect(mcp.supervisor.list()).toMatchObject([{ name: 'late', state: 'starting' }, { state: 'stopped' }]);
    expect(await mcp.supervisor.settled(50, never)).toEqual({ starting: ['late'], failed: new Map() });
    expect(mcp.tools.list()).toEqual([]);
    expect(await mcp.supervisor.settled(20_000, never)).toEqual({ starting: [], failed: new Map() });
    expect(mcp.tools.list().map(({ name }) => name)).toEqual(['mcp__late__quick']);
  });

  it('that never answer hold nobody up, and are told of by name when their time is over', async () => {
    mcp.supervisor.begin(mcp.config({ name: 'mute', args: SILENT, startTimeoutMs: 700 }));
    mcp.supervisor.begin(mcp.config({ name: 'bad', command: '' }));
    const early = await mcp.supervisor.settled(100, never);
    expect([early.starting, [...early.failed.keys()]]).toEqual([['mute'], ['bad']]);
    const later = await mcp.supervisor.settled(20_000, never);
    expect(later.starting).toEqual([]);
    expect(later.failed.get('mute')).toContain('did not answer within 700 ms');
  });

  it('are not waited for once the caller has gone', async () => {
    mcp.supervisor.begin(mcp.config({ args: SILENT }));
    const controller = new AbortController();
    const wait = mcp.supervisor.settled(60_000, controller.signal);
    controller.abort();
    expect((await wait).starting).toEqual(['x']);
  });

  it('and are still starting end with the host, process and all', async () => {
    mcp.supervisor.begin(mcp.config({}, ['--late=60000']));
    await eventually(() => mcp.pids().length === 1, 'its process is there');
    const [pid = 0] = mcp.pids();
    await mcp.supervisor.close();
    expect(isRunning(pid)).toBe(false);
    expect(mcp.supervisor.list()).toEqual([]);
  });

  it('twice under one name are one server and one fault', async () => {
    mcp.offer([tool('quick')]);
    mcp.supervisor.begin(mcp.config());
    mcp.supervisor.begin(mcp.config());
    const { failed } = await mcp.supervisor.settled(20_000, never);
    expect(failed.get('x')).toContain('is there already');
    expect(mcp.supervisor.list()).toMatchObject([{ name: 'x', state: 'ready' }]);
  });
});
