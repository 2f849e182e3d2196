import {
  type SecretScrubber,
  type SessionEntry,
  type SessionLog,
  WrongStackError,
} from '@wrongstack/contracts';
import type { MutationGuard, RunNotice } from '@wrongstack/kernel';
import type { McpSupervisor } from '@wrongstack/mcp';
import type { PluginRuntime } from '@wrongstack/plugins';

const MOST_WAITING = 1_000;
const LONGEST_START_MS = 10 * 60_000;

/**
 * Where plugins and MCP servers are plugged in once there are any. Until then it costs nothing: neither library is
 * loaded, and nobody may change a tool that is not theirs.
 */
export class ExtensionSlot {
  plugins: PluginRuntime | null = null;
  mcp: McpSupervisor | null = null;
  /** A person is asked about untrusted plugins, so a run need not tell of them. */
  asksAboutPlugins = false;
  #guard: MutationGuard | null = null;
  #log: SessionLog | null = null;
  #waiting: SessionEntry[] = [];
  #atEnd: (() => void) | null = null;
  /** What the person was told about. */
  readonly #told = new Set<string>();

  constructor(private readonly scrubber: SecretScrubber) {}

  useGuard(guard: MutationGuard): void {
    this.#guard = guard;
  }

  readonly mayMutate: MutationGuard = (tool, by, action) => {
    if (this.#guard !== null) return this.#guard(tool, by, action);
    if (by === tool.owner || by === 'core') return;
    throw new WrongStackError(
      'tool.not_owner',
      `${by} may not ${action} ${tool.name}: it belongs to ${tool.owner}`,
    );
  };

  /** For `locks.plugins.allow[].claims`. */
  readonly digestOf = (owner: string): string | undefined => this.plugins?.digestOf(owner);

  /** Plugins are set up before there is a session: what they append by then is its beginning. */
  async useSession(log: SessionLog): Promise<void> {
    this.#log = log;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const entry of waiting) await log.append(entry);
  }

  async append(entry: SessionEntry): Promise<void> {
    const clean = this.scrubber.scrubValue(entry);
    if (this.#log !== null) return this.#log.append(clean);
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(clean);
  }

  /**
   * Wait for servers that are starting, at most so long, and say once what a run goes on without: servers, and plugins of
   * the project that nobody trusted. Returns at once where there are none.
   */
  async ready(milliseconds: number, signal: AbortSignal): Promise<readonly RunNotice[]> {
    return [...this.#untrusted(), ...(await this.#servers(milliseconds, signal))];
  }

  #untrusted(): readonly RunNotice[] {
    const names = this.asksAboutPlugins ? [] : (this.plugins?.untrusted() ?? []).map(({ name }) => name);
    const code = 'plugin.untrusted';
    if (names.length === 0 || this.#told.has(code)) return [];
    this.#told.add(code);
    return [
      {
        code,
        message: `plugins of this project do not run, since you have not trusted them: ${names.join(', ')}`,
        hint: names.map((name) => `wstack plugin trust ${name}`).join(' && '),
      },
    ];
  }

  async #servers(milliseconds: number, signal: AbortSignal): Promise<readonly RunNotice[]> {
    if (this.mcp === null) return [];
    const { starting, failed } = await this.mcp.settled(milliseconds, signal);
    const hint = 'wstack mcp list';
    return [
      ...starting.map((name) => ({
        name,
        code: 'mcp.still_starting',
        message: `MCP server ${name} is still starting; its tools come when it is ready`,
        hint: 'agent.mcpWaitMs says how long a run waits',
      })),
      ...[...failed].map(([name, message]) => ({ name, code: 'mcp.start_failed', message, hint })),
    ].flatMap(({ name, ...notice }) => {
      const key = `${notice.code} ${name}`;
      if (this.#told.has(key)) return [];
      this.#told.add(key);
      return [notice];
    });
  }

  /** Until every server that was begun is ready or has failed; each has a time limit of its own. */
  async settled(signal: AbortSignal = new AbortController().signal): Promise<void> {
    await this.mcp?.settled(LONGEST_START_MS, signal);
  }

  onClose(action: () => void): void {
    this.#atEnd = action;
  }

  /** Plugins first: their teardown may still need a server. Never rejects. */
  async close(): Promise<void> {
    await this.plugins?.close();
    await this.mcp?.close();
    this.#atEnd?.();
  }
}
