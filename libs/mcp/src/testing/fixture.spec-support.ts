import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLogger, systemClock, type ToolOptions } from '@wrongstack/contracts';
import { InMemoryMetricsSink, type McpServerConfig, ToolRegistry } from '@wrongstack/kernel';
import { McpSupervisor, type McpSupervisorOptions } from '../client/supervisor.js';
import { PinStore } from '../pins/pin-store.js';

export const SERVER = path.join(__dirname, 'fixture-server.cjs');

/** A scratch folder with a server that does as it is told, a registry, and a supervisor over both. */
export class McpFixture {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'mcp-'));
  readonly tools = new ToolRegistry();
  readonly pinFile = path.join(this.folder, 'home', 'pins.json');
  readonly waits: number[] = [];
  readonly metrics = new InMemoryMetricsSink();
  readonly supervisor: McpSupervisor;

  constructor(options: Partial<McpSupervisorOptions> = {}) {
    this.supervisor = new McpSupervisor({
      tools: this.tools,
      pins: new PinStore(this.pinFile, systemClock),
      environment: { PATH: process.env['PATH'] ?? '', HOME: '/home/somebody' },
      workingFolder: this.folder,
      credential: async () => undefined,
      clock: systemClock,
      log: silentLogger,
      metrics: this.metrics,
      random: () => 0,
      sleep: async (milliseconds, signal) => {
        this.waits.push(milliseconds);
        signal.throwIfAborted();
      },
      ...options,
    });
    this.offer([]);
  }

  offer(tools: readonly unknown[]): void {
    writeFileSync(path.join(this.folder, 'tools.json'), JSON.stringify(tools));
  }

  instruct(text: string): void {
    writeFileSync(path.join(this.folder, 'instructions.txt'), text);
  }

  config(more: Partial<McpServerConfig> = {}, flags: readonly string[] = []): McpServerConfig {
    return { name: 'x', command: process.execPath, args: [SERVER, this.folder, ...flags], ...more };
  }

  start(more: Partial<McpServerConfig> = {}, flags: readonly string[] = []): Promise<void> {
    return this.supervisor.start(this.config(more, flags));
  }

  /** `starts ready 1`, one line a counter. */
  counted(): readonly string[] {
    return this.metrics
      .samples()
      .map(({ name, labels, value }) =>
        [/^wrongstack_mcp_(\w+)_total$/.exec(name)?.[1], labels['outcome'], value].join(' '),
      );
  }

  /** What the server wrote down. */
  log(): readonly string[] {
    const file = path.join(this.folder, 'log.txt');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  pids(): readonly number[] {
    return this.log().flatMap((line) => (line.startsWith('pid ') ? [Number(line.slice(4))] : []));
  }

  async call(
    name: string,
    input: unknown = {},
    signal: ToolOptions['signal'] = new AbortController().signal,
  ): Promise<string> {
    const tool = this.tools.get(name);
    if (tool === undefined) throw new Error(`${name} is not registered`);
    const { content } = (await tool.execute(input, {} as never, { signal })) as {
      content: { text: string }[];
    };
    return content.map(({ text }) => text).join('\n');
  }

  async dispose(): Promise<void> {
    await this.supervisor.close();
    rmSync(this.folder, { recursive: true });
  }
}

export async function eventually(check: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (check()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never: ${what}`);
}

/** A process that ended and that nobody has waited for yet is not running. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

export const tool = (name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  ...more,
});
