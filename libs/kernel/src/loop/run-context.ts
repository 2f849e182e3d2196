import { messageOf, WrongStackError } from '@wrongstack/contracts';
import type {
  Context,
  Disposer,
  Logger,
  ReadState,
  RunId,
  SecretScrubber,
  SessionEntry,
  SessionId,
} from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { withinDeadline } from '../hooks/with-deadline.js';
import { isBuiltInEntry } from '../session/built-in-entries.js';
import type { PathLocks } from './path-locks.js';
import type { ReadRecords } from './read-records.js';

/** Longest that one hook may take when a run ends. */
const HOOK_MS = 5_000;

export interface RunContextOptions extends Pick<
  Context,
  'cwd' | 'projectRoot' | 'sessionId' | 'runId' | 'scratchDir' | 'dataDir' | 'meta' | 'log'
> {
  readonly entries: { append(entry: SessionEntry): Promise<void> };
  readonly scrubber: SecretScrubber;
  readonly reads: ReadRecords;
  readonly locks: PathLocks;
}

/** The context of one run, as tools, hooks and contributors see it. */
export class RunContext implements Context {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly sessionId: SessionId;
  readonly runId: RunId;
  readonly scratchDir: string;
  readonly dataDir: string;
  readonly meta: Record<string, unknown>;
  readonly log: Logger;
  readonly session: { append(entry: SessionEntry): Promise<void> };
  readonly tools: Context['tools'] = Object.freeze({ register: refuseLateTool });
  readonly #reads: ReadRecords;
  readonly #locks: PathLocks;
  #abortHooks: (() => void | Promise<void>)[] = [];

  constructor(options: RunContextOptions) {
    this.cwd = options.cwd;
    this.projectRoot = options.projectRoot;
    this.sessionId = options.sessionId;
    this.runId = options.runId;
    this.scratchDir = options.scratchDir;
    this.dataDir = options.dataDir;
    this.meta = options.meta;
    this.log = options.log;
    this.#reads = options.reads;
    this.#locks = options.locks;
    this.session = {
      append: async (entry) => {
        // A tool that could write a tool_result would rewrite what happened.
        if (isBuiltInEntry(entry.type)) {
          throw new WrongStackError(
            'session.reserved',
            `session entry ${entry.type} is built in; name yours name:event`,
          );
        }
        if (typeof entry.ts !== 'string') {
          throw new WrongStackError(
            'session.invalid',
            `session entry ${entry.type} needs ts, an ISO 8601 time`,
          );
        }
        await options.entries.append(options.scrubber.scrubValue(entry));
      },
    };
  }

  recordRead(absPath: string, mtimeMs: number): void {
    this.#reads.record(absPath, mtimeMs);
  }

  hasRead(absPath: string): boolean {
    return this.#reads.has(absPath);
  }

  lastReadMtime(absPath: string): number | undefined {
    return this.#reads.mtimeOf(absPath);
  }

  async readState(absPath: string): Promise<ReadState> {
    return this.#reads.state(absPath);
  }

  async recordWrite(absPath: string): Promise<void> {
    await this.#reads.recordPresent(absPath);
  }

  async withPathLock<T>(absPath: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.with(absPath, work);
  }

  registerAbortHook(hook: () => void | Promise<void>): Disposer {
    const entry = (): void | Promise<void> => hook();
    this.#abortHooks.push(entry);
    return once(() => {
      this.#abortHooks = this.#abortHooks.filter((one) => one !== entry);
    });
  }

  /** Run the hooks in reverse order, each once. Called when the run ends, however it ends. */
  async end(): Promise<void> {
    for (let hook = this.#abortHooks.pop(); hook !== undefined; hook = this.#abortHooks.pop()) {
      try {
        await withinDeadline('an abort hook', HOOK_MS, hook);
      } catch (error) {
        this.log.warn('an abort hook failed', { message: messageOf(error) });
      }
    }
  }
}

function refuseLateTool(tool: { readonly name: string }): never {
  throw new WrongStackError('tool.register_late', `tool ${tool.name} cannot be registered during a run`, {
    hint: 'register it in apply or setup',
  });
}
