import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { mcpControlTool } from '../control/mcp-control.tool.js';
import { eventually, McpFixture } from './fixture.spec-support.js';

const server = (name: string): string =>
  path.resolve(__dirname, `../../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

describe('servers from npm', () => {
  let mcp: McpFixture;
  beforeEach(() => {
    mcp = new McpFixture();
  });
  afterEach(() => mcp.dispose());

  it('server-everything over stdio: tools, structured answers, images, resources, prompts', async () => {
    await mcp.start({ name: 'e', args: [server('everything'), 'stdio'] });
    expect(await mcp.call('mcp__e__echo', { message: 'hi' })).toBe('Echo: hi');
    expect(await mcp.call('mcp__e__get-sum', { a: 2, b: 3 })).toContain('5');
    const image = mcp.tools.get('mcp__e__get-tiny-image');
    await expect(
      image?.execute({}, {} as never, { signal: new AbortController().signal }),
    ).resolves.toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: 'image', mediaType: 'image/png' })]),
    });
    const [first] = JSON.parse(await mcp.call('mcp__e__read_resource')) as { uri: string }[];
    expect((await mcp.call('mcp__e__read_resource', { uri: first?.uri })).length).toBeGreaterThan(0);
    const prompts = JSON.parse(await mcp.call('mcp__e__get_prompt')) as {
      name: string;
      arguments?: unknown;
    }[];
    const simple = prompts.find((one) => one.arguments === undefined);
    expect((await mcp.call('mcp__e__get_prompt', { name: simple?.name })).length).toBeGreaterThan(0);
  }, 20_000);

  it('server-everything over HTTP: the same, and back again after it was restarted', async () => {
    const port = await freePort();
    const start = () =>
      spawn(process.execPath, [server('everything'), 'streamableHttp'], {
        env: { PATH: process.env['PATH'], PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const listening = async (child: ReturnType<typeof start>): Promise<void> => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await eventually(() => /listening/i.test(said), 'the server listens');
    };
    let child = start();
    try {
      await listening(child);
      await mcp.start({
        name: 'h',
        command: undefined,
        transport: 'http',
        url: `http://127.0.0.1:${String(port)}/mcp`,
      });
      expect(mcp.tools.get('mcp__h__echo')?.mcp).toMatchObject({
        url: `http://127.0.0.1:${String(port)}/mcp`,
      });
      expect(await mcp.call('mcp__h__echo', { message: 'over http' })).toBe('Echo: over http');
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      child = start();
      await listening(child);
      await mcp.call('mcp__h__echo', { message: 'lost' }).catch(() => undefined);
      await eventually(() => mcp.supervisor.list()[0]?.state === 'ready', 'a new session');
      expect(await mcp.call('mcp__h__echo', { message: 'again' })).toBe('Echo: again');
    } finally {
      child.kill('SIGKILL');
    }
  }, 30_000);

  it('server-filesystem: reads below the folder it was given and nowhere else', async () => {
    writeFileSync(path.join(mcp.folder, 'a.txt'), 'from disk');
    await mcp.start({ name: 'fs', args: [server('filesystem'), mcp.folder] });
    expect(await mcp.call('mcp__fs__read_text_file', { path: path.join(mcp.folder, 'a.txt') })).toContain(
      'from disk',
    );
    expect(await mcp.call('mcp__fs__read_text_file', { path: '/etc/passwd' })).toMatch(/denied|outside/i);
  }, 20_000);

  it('server-memory: remembers, and is stopped and started by name through mcp_control', async () => {
    const file = path.join(mcp.folder, 'memory.json');
    mcp.supervisor.configure([
      { name: 'm', command: process.execPath, args: [server('memory')], env: { MEMORY_FILE_PATH: file } },
    ]);
    mcp.supervisor.beginConfigured();
    await mcp.supervisor.settled(20_000, new AbortController().signal);
    await mcp.call('mcp__m__create_entities', {
      entities: [{ name: 'Mira', entityType: 'person', observations: ['likes tea'] }],
    });
    expect(existsSync(file) && readFileSync(file, 'utf8')).toContain('likes tea');
    const control = mcpControlTool(mcp.supervisor);
    const run = (action: string, name?: string) =>
      control.execute({ action, server: name } as never, {} as never, {} as never);
    expect(control.capabilities).toEqual(['config.mutate']);
    expect(await run('stop', 'm')).toMatchObject({ servers: [{ name: 'm', state: 'stopped' }] });
    expect(mcp.tools.list()).toEqual([]);
    expect(await run('start', 'm')).toMatchObject({ servers: [{ name: 'm', state: 'ready' }] });
    expect(await mcp.call('mcp__m__read_graph')).toContain('likes tea');
    await expect(run('start', 'nobody')).rejects.toMatchObject({ code: 'mcp.unknown_server' });
  }, 20_000);
});

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as { port: number };
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
