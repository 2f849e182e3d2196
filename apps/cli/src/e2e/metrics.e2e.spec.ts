import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Sandbox } from './cli-process.spec-support.js';
import { Peer } from './peer.spec-support.js';

jest.setTimeout(60_000);

const EVERYTHING = path.resolve(
  __dirname,
  '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

describe('metrics of what runs for long', () => {
  let sandbox: Sandbox;
  let child: ChildProcess | null = null;
  beforeEach(async () => {
    sandbox = await Sandbox.create({ 'a.txt': 'from disk' });
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    child = null;
    await sandbox.remove();
  });

  /** The address that the process prints on stderr; what it says before is passed on to `hear`. */
  async function pageOf(
    process: ChildProcess,
    hear: (line: string) => void = () => undefined,
  ): Promise<string> {
    if (process.stderr === null) throw new Error('no stderr');
    for await (const line of createInterface(process.stderr)) {
      const [, url] = /^metrics on (\S+)/.exec(line) ?? [];
      if (url !== undefined) return url;
      hear(line);
    }
    throw new Error('the process ended without a page');
  }

  const scrape = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers });
    return { status: answer.status, text: await answer.text() };
  };

  const session = async (peer: Peer, prompt: string): Promise<void> => {
    const { sessionId } = await peer.request<{ sessionId: string }>('session/new', {
      cwd: sandbox.project,
      mcpServers: [],
    });
    await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] });
  };

  it('an editor’s process shows what all its sessions did and have, to whoever has the bearer', async () => {
    const turns = [
      { calls: [{ id: 'call-1', tool: 'read', input: { path: 'a.txt' } }] },
      { text: 'done', usage: { inputTokens: 40, outputTokens: 2 } },
    ];
    const script = await sandbox.write('~/script.json', JSON.stringify({ turns }));
    await sandbox.write(
      '~/.wrongstack/plugins/unwell/index.cjs',
      "module.exports = { name: 'unwell', setup(api) { api.metrics.counter('seen', 2, { 'what': 'a' }); }, health: () => ({ ok: false }) };",
    );
    await sandbox.write('~/.wrongstack/plugins/bad/index.cjs', "throw new Error('no');");
    await sandbox.configure({
      provider: { type: 'scripted', model: 'scripted-1', script },
      metrics: { port: 0 },
      mcp: {
        everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] },
        gone: { command: '/nowhere/at-all' },
      },
    });
    child = sandbox.start(['acp'], { env: { WRONGSTACK_SCRAPE_TOKEN: 'open-sesame' } });
    const url = await pageOf(child);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await scrape(url)).status).toBe(401);
    const peer = new Peer(child);
    await peer.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    await session(peer, 'one');
    await session(peer, 'two');
    const { text } = await scrape(url, { authorization: 'Bearer open-sesame' });
    const lines = text.split('\n');
    for (const line of [
      'wrongstack_sessions_total 2',
      'wrongstack_runs_active 0',
      'wrongstack_runs_total{status="completed"} 2',
      'wrongstack_tool_calls_total{tool="read",status="ok"} 2',
      'wrongstack_run_seconds_count{status="completed"} 2',
      'wrongstack_mcp_servers{state="ready"} 2',
      'wrongstack_mcp_servers{state="failed"} 2',
      'wrongstack_mcp_starts_total{outcome="ready"} 2',
      'wrongstack_mcp_starts_total{outcome="failed"} 2',
      'wrongstack_plugins{state="loaded"} 2',
      'wrongstack_plugins{state="failed"} 2',
      'wrongstack_plugins_unhealthy 2',
      'wrongstack_plugin_load_failures_total{code="plugin.import_failed"} 2',
      'wrongstack_policy_state{state="none"} 1',
      'plugin_unwell_seen_total{what="a"} 4',
    ])
      expect(lines).toContain(line);
    expect(text).toMatch(/^wrongstack_build_info\{version="[^"]+",node="v[^"]+",role="acp"\} 1$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).not.toContain('wrongstack_metrics_dropped_total');
    const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    if (error === undefined) expect(`${stdout}${stderr}`).toBe('');
    child.stdin?.end();
    expect(await peer.exited).toBe(0);
  });

  it('without a server a budget counts what the logs of this machine hold', async () => {
    const turns = [{ text: 'done', usage: { inputTokens: 600 } }];
    const script = await sandbox.write('~/script.json', JSON.stringify({ turns }));
    await sandbox.configure({ provider: { type: 'scripted', model: 'm', script } });
    const policy = (budget: object) =>
      sandbox.write(
        '~/.wrongstack/policy.yaml',
        JSON.stringify({
          ...{ apiVersion: 'policy.wrongstack/v1', kind: 'CapabilityPolicy', rules: [] },
          metadata: { id: 'mine', revision: 1, scope: { tier: 'user' } },
          locks: { budget },
        }),
      );
    await policy({ user: { tokens: 1_000 } });
    const run = async () => {
      const { code, stdout } = await sandbox.run(['run', 'go', '--output', 'json']);
      const { error } = JSON.parse(stdout) as { error: { code: string } | null };
      return [code, error?.code];
    };
    expect([await run(), await run(), await run()]).toEqual([
      [0, undefined],
      [0, undefined],
      [1, 'budget.user_tokens'],
    ]);
    await policy({ user: { costUsd: 5, per: 'day' } });
    expect(await run()).toEqual([1, 'budget.no_price']);
  });

  it('a port that is taken is said, and the server serves', async () => {
    child = sandbox.start(['mcp', 'serve', '--metrics-port', '0']);
    const { port } = new URL(await pageOf(child));
    const second = sandbox.start(['mcp', 'serve', '--metrics-port', port]);
    if (second.stderr === null) throw new Error('no stderr');
    const [said] = (await once(createInterface(second.stderr), 'line')) as [string];
    expect(said).toMatch(new RegExp(`^! metrics are not served: port ${port} of 127.0.0.1: `));
    const peer = new Peer(second);
    await peer.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    second.stdin?.end();
    expect(await peer.exited).toBe(0);
    const wrong = await sandbox.run(['acp', '--metrics-port', '70000']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('It must be a port number')]);
  });
});
