import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
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
    expect(text).not.toMatch(/^wrongstack_metrics_dropped_total\{.*\} [1-9]/m);
    const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    if (error === undefined) expect(`${stdout}${stderr}`).toBe('');
    child.stdin?.end();
    expect(await peer.exited).toBe(0);
  });

  it('what plugins do wrong is dropped, counted and named once, and the page stays readable to its end', async () => {
    const plugin = (folder: string, name: string, body: string) =>
      sandbox.write(
        `~/.wrongstack/plugins/${folder}/index.cjs`,
        `module.exports = { name: ${JSON.stringify(name)}, ${body} };`,
      );
    await plugin(
      'careless',
      'careless',
      `setup(api) {
        const { metrics } = api;
        metrics.counter('good', 1, { of: 'line\\nbreak "quoted" back\\\\slash' });
        // What is refused to its face ends nothing else.
        const tries = (...calls) => calls.forEach((call) => { try { call(); } catch {} });
        for (const value of [NaN, Infinity, -Infinity, -1, '5', null, 5n]) tries(() => metrics.counter('good', value, { of: 'a' }));
        tries(
          () => metrics.histogram('took', '5'),
          () => metrics.gauge('level', NaN),
          () => metrics.counter('good', 1, { of: undefined }),
          () => metrics.counter('good', 1, { of: 'a', more: 'b' }),
          () => metrics.counter('bad', 1, { 'not legal': 'x' }),
          () => metrics.counter('bad', 1, { le: 'x' }),
        );
        metrics.counter('two words\\n# TYPE x counter', 3);
        for (let id = 0; id < 5000; id += 1) { metrics.counter('flood', 1, { id: 'i' + id }); metrics.counter('name' + id); }
      }`,
    );
    await plugin('hangs', 'hangs', 'setup() {}, health: () => new Promise(() => {})');
    await plugin('throws', 'throws', "setup() {}, health: () => { throw new Error('no'); }");
    // Two that call themselves alike, and one whose name becomes the other's when it is made legal.
    await plugin('twin', 'twin', "setup(api) { api.metrics.counter('seen', 1); }");
    await sandbox.configure({
      provider: { type: 'scripted', model: 'm', script: 'none' },
      plugins: {
        twin: {
          path: await sandbox.write(
            '~/other/index.cjs',
            "module.exports = { name: 'twin', setup(api) { api.metrics.counter('seen', 10); } };",
          ),
        },
      },
    });
    await plugin('twin-a', 'twin-a', "setup(api) { api.metrics.counter('seen', 100); }");
    await plugin('twin_a', 'twin_a', "setup(api) { api.metrics.counter('seen', 1000); }");
    child = sandbox.start(['mcp', 'serve', '--metrics-port', '0']);
    const url = await pageOf(child);
    const peer = new Peer(child);
    await peer.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    const open = { accept: 'application/openmetrics-text; version=1.0.0' };
    await scrape(url);
    const { text } = await scrape(url);
    const lines = text.split('\n');
    expect(lines).toContain('plugin_careless_good_total{of="line\\nbreak \\"quoted\\" back\\\\slash"} 1');
    expect(
      lines.filter((line) => line.startsWith('plugin_careless_flood_total{')).length,
    ).toBeLessThanOrEqual(201);
    expect(lines.filter((line) => /^plugin_careless_name\d+_total /.test(line)).length).toBeLessThanOrEqual(
      200,
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^plugin_careless_two_words___TYPE_x_counter_total 3$/),
    );
    expect(lines.filter((line) => line.startsWith('plugin_twin_seen_total')).length).toBe(1);
    expect(lines).toContain('plugin_twin_a_seen_total 100');
    expect(lines).toContainEqual(expect.stringMatching(/^plugin_twin_a_seen_[0-9a-f]{8}_total 1000$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^wrongstack_metrics_dropped_total\{reason="not_finite"\} \d+$/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^wrongstack_metrics_collector_failures_total\{collector="plugin_health"\} [1-9]/,
      ),
    );
    expect(lines).toContain('wrongstack_plugin_load_failures_total{code="plugin.duplicate"} 1');
    const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    if (error === undefined)
      expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('error'))).toEqual([]);
    expect((await scrape(url, open)).text).toMatch(/# EOF\n$/);
    const log = await readFile(path.join(sandbox.home, '.wrongstack/logs/wstack.log'), 'utf8').catch(
      () => '',
    );
    const named = log
      .split('\n')
      .filter((line) => line.includes('"reason":"not_finite"') && line.includes('careless.good'));
    expect(named).toHaveLength(1);
    // Scraped while it goes: a page is whole, or there is none.
    const scrapes = Array.from({ length: 8 }, () => scrape(url, open).catch(() => null));
    child.stdin?.end();
    for (const one of await Promise.all(scrapes)) if (one !== null) expect(one.text).toMatch(/# EOF\n$/);
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
