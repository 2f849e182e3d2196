import { ToolRegistry } from '@wrongstack/kernel';
import { isRunning, McpFixture, tool } from '../testing/fixture.spec-support.js';
import { mcpControlTool } from './mcp-control.tool.js';

// Each test starts a real server.
jest.setTimeout(30_000);

describe('mcp_control', () => {
  let mcp: McpFixture;
  beforeEach(() => {
    mcp = new McpFixture();
    mcp.offer([tool('quick')]);
    mcp.supervisor.configure([mcp.config(), mcp.config({ name: 'off', enabled: false })]);
  });
  afterEach(() => mcp.dispose());

  const run = (input: unknown): Promise<unknown> =>
    Promise.resolve(
      mcpControlTool(mcp.supervisor).execute(input as never, {} as never, {
        signal: new AbortController().signal,
      }),
    );
  const offered = (): readonly string[] => mcp.tools.list().map(({ name }) => name);

  it('lists what is configured, running or not', async () => {
    await mcp.supervisor.startNamed('x');
    expect(await run({ action: 'list' })).toMatchObject({
      servers: [
        { name: 'x', state: 'ready', tools: 1 },
        { name: 'off', state: 'stopped', tools: 0 },
      ],
    });
  });

  it('starts, restarts and stops one, its process and its tools with it', async () => {
    expect(await run({ action: 'start', server: 'x' })).toMatchObject({
      servers: [{ name: 'x', state: 'ready' }, { name: 'off' }],
    });
    expect(offered()).toEqual(['mcp__x__quick']);
    await run({ action: 'restart', server: 'x' });
    const [first = 0, second = 0] = mcp.pids();
    expect([first === second, isRunning(first), isRunning(second)]).toEqual([false, false, true]);
    expect(await mcp.call('mcp__x__quick', { q: 'again' })).toContain('again');
    expect(await run({ action: 'stop', server: 'x' })).toMatchObject({
      servers: [
        { name: 'x', state: 'stopped' },
        { name: 'off', state: 'stopped' },
      ],
    });
    expect([offered(), mcp.pids().some(isRunning)]).toEqual([[], false]);
  });

  it('starts one that the configuration switched off, and one that is stopped by restarting it', async () => {
    await run({ action: 'start', server: 'off' });
    expect(offered()).toEqual(['mcp__off__quick']);
    await run({ action: 'restart', server: 'x' });
    expect(offered()).toContain('mcp__x__quick');
  });

  it.each([
    [{ action: 'start', server: 'ghost' }, 'mcp.unknown_server'],
    [{ action: 'stop', server: 'ghost' }, 'mcp.unknown_server'],
    [{ action: 'restart', server: 'ghost' }, 'mcp.unknown_server'],
    [{ action: 'stop', server: 'x' }, 'mcp.not_running'],
    [{ action: 'start', server: '__proto__' }, 'mcp.unknown_server'],
  ])('refuses %j with %s and changes nothing', async (input, code) => {
    await expect(run(input)).rejects.toMatchObject({ code });
    expect([offered(), mcp.pids()]).toEqual([[], []]);
  });

  it('does not start a second one of a server that runs', async () => {
    await run({ action: 'start', server: 'x' });
    await expect(run({ action: 'start', server: 'x' })).rejects.toMatchObject({ code: 'mcp.server_exists' });
    expect(mcp.pids()).toHaveLength(1);
  });

  it('says why a server does not come up', async () => {
    mcp.supervisor.configure([{ name: 'broken', command: '/nowhere' }]);
    await expect(run({ action: 'start', server: 'broken' })).rejects.toMatchObject({
      code: 'mcp.start_failed',
    });
    expect(await run({ action: 'list' })).toMatchObject({
      servers: expect.arrayContaining([expect.objectContaining({ name: 'broken', state: 'failed' })]),
    });
  });

  describe('as the model sees it', () => {
    const registered = () => {
      const registry = new ToolRegistry();
      registry.register(mcpControlTool(mcp.supervisor));
      return registry;
    };

    it('asks, counts as a change of configuration, and says which server the question is about', () => {
      const control = registered().get('mcp_control');
      expect(control).toMatchObject({
        permission: 'confirm',
        mutating: true,
        capabilities: ['config.mutate'],
      });
      expect(control?.presentCall?.({ action: 'stop', server: 'x' })).toMatchObject({
        title: 'stop MCP server x',
      });
    });

    it.each([
      [{}, false],
      [{ action: 'list' }, true],
      [{ action: 'start' }, false],
      [{ action: 'start', server: 'x' }, true],
      [{ action: 'install', server: 'x' }, false],
      [{ action: 'start', server: 'x', command: 'sh' }, false],
      [{ action: 'start', server: ['x'] }, false],
    ])('takes %j: %s', (input, fits) => {
      expect(registered().validate('mcp_control', input).length === 0).toBe(fits);
    });
  });
});
