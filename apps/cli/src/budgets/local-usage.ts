import {
  type BuiltInSessionEntry,
  type Clock,
  messageOf,
  type ModelPrice,
  type RunId,
  type SessionStore,
  type SessionSummary,
  type Usage,
  WrongStackError,
} from '@wrongstack/contracts';
import { costOf, isBuiltInEntry, type RunSpent } from '@wrongstack/kernel';

/** Other sessions of the same machine are looked at again when the last look is older. */
const LOOK_EVERY_MS = 60_000;
const NOTHING: RunSpent = { tokens: 0, costUsd: 0, toolCalls: 0 };

export interface LocalUsageParts {
  /** Of the person's sessions, their subagents' and those of MCP clients. */
  readonly stores: readonly SessionStore[];
  readonly prices: () => Readonly<Record<string, ModelPrice>>;
  readonly clock: Clock;
}

interface Look {
  readonly at: number;
  readonly day: RunSpent;
  readonly month: RunSpent;
}

/**
 * What a person used up on this machine, by the logs of their sessions: what there is where no server adds it up. Days and months are
 * UTC, as in the logs.
 */
export class LocalUsage {
  #look: { readonly run: RunId; readonly found: Look } | null = null;
  /** Logs that did not change since are not read again on the same day. */
  readonly #read = new Map<string, { readonly state: string; readonly look: Omit<Look, 'at'> }>();

  constructor(private readonly parts: LocalUsageParts) {}

  /**
   * With what the run has used up so far: its own entries are left out of what is read, since some may not be written yet. Throws
   * `budget.unknown` for a log that cannot be read.
   */
  async now(run: RunId, spent: RunSpent): Promise<{ readonly day: RunSpent; readonly month: RunSpent }> {
    const now = this.parts.clock.now();
    const known = this.#look;
    const isOld = known === null || known.run !== run || now - known.found.at > LOOK_EVERY_MS;
    const found = isOld ? await this.#lookAt(run, now) : known.found;
    this.#look = { run, found };
    return { day: added(found.day, spent), month: added(found.month, spent) };
  }

  async #lookAt(run: RunId, at: number): Promise<Look> {
    const today = new Date(at).toISOString().slice(0, 10);
    const firstDay = `${today.slice(0, 7)}-01`;
    let [day, month] = [NOTHING, NOTHING];
    // The run's own session is in the first store, and says since when its subagents are its own as well.
    const own: OwnRun = { run, since: null };
    for (const store of this.parts.stores) {
      for (const summary of await this.#sessionsOf(store)) {
        if (summary.updatedAt < firstDay) continue;
        const one = await this.#usageIn(store, summary, today, firstDay, own);
        day = added(day, one.day);
        month = added(month, one.month);
      }
    }
    return { at, day, month };
  }

  async #sessionsOf(store: SessionStore): Promise<readonly SessionSummary[]> {
    return store.list({
      onUnreadable: (problem) => {
        throw unknown(problem);
      },
    });
  }

  async #usageIn(
    store: SessionStore,
    { id, updatedAt }: SessionSummary,
    today: string,
    firstDay: string,
    own: OwnRun,
  ): Promise<Omit<Look, 'at'>> {
    const state = `${updatedAt} ${today}`;
    const known = this.#read.get(id);
    if (known?.state === state) return known.look;
    let [day, month] = [NOTHING, NOTHING];
    let parent: string | undefined;
    let model = '';
    let isOwn = false;
    try {
      for await (const entry of store.read(id)) {
        if (!isBuiltInEntry(entry.type)) continue;
        // The type belongs to the kernel, which alone writes such entries.
        const built = entry as BuiltInSessionEntry;
        if (built.type === 'session_start')
          ({ parent: { session: parent } = { session: undefined }, model } = built);
        if (built.type === 'run_start' && built.run === own.run) own.since = { session: id, ts: built.ts };
        const session = parent ?? id;
        isOwn = own.since?.session === session && built.ts >= own.since.ts;
        if (isOwn) break;
        if (built.ts < firstDay) continue;
        const used = this.#usedBy(built, model);
        month = added(month, used);
        if (built.ts >= today) day = added(day, used);
      }
    } catch (error) {
      throw unknown(error);
    }
    const look = { day, month };
    if (!isOwn) this.#read.set(id, { state, look });
    return look;
  }

  /** `model`: what the session was started with, under whose name the price may be. */
  #usedBy(entry: BuiltInSessionEntry, model: string): RunSpent {
    if (entry.type === 'tool_result') return { ...NOTHING, toolCalls: 1 };
    if (entry.type !== 'assistant_message' && entry.type !== 'aside') return NOTHING;
    const prices = this.parts.prices();
    const name = [entry.model, model].find((one) => Object.hasOwn(prices, one));
    const price = name === undefined ? undefined : prices[name];
    return {
      tokens: tokensOf(entry.usage),
      costUsd: price === undefined ? 0 : costOf(entry.usage, price),
      toolCalls: 0,
    };
  }
}

interface OwnRun {
  readonly run: RunId;
  since: { readonly session: string; readonly ts: string } | null;
}

function added(a: RunSpent, b: RunSpent): RunSpent {
  return {
    tokens: a.tokens + b.tokens,
    costUsd: a.costUsd + b.costUsd,
    toolCalls: a.toolCalls + b.toolCalls,
  };
}

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

function unknown(problem: unknown): WrongStackError {
  return new WrongStackError(
    'budget.unknown',
    `what you used up is not known, and the policy limits it: ${messageOf(problem)}`,
    {
      hint: 'a log that cannot be read counts again once it is repaired, or is moved out of the folder of sessions',
    },
  );
}
