import { isoNow, type RunId } from '@wrongstack/contracts';
import type { UsageHolder } from '@wrongstack/contracts/control';
import type { HolderUsage } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { usageOf } from '../usage/usage-of.js';

/** What a run has used up, its subagents included. */
export interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
  readonly toolCalls: number;
}

const NOTHING: Spent = { tokens: 0, costUsd: 0, toolCalls: 0 };

/**
 * What one attempt of a run uses up, added to what its requester and their team use up over all their machines and runs, before budgets are
 * asked for what is left.
 */
export class RunSpending {
  readonly #holders: readonly UsageHolder[];
  #reports = 0;
  #reported = NOTHING;

  constructor(
    private readonly control: Pick<ControlPlane, 'store' | 'clock'>,
    private readonly run: RunId,
    private readonly attempt: number,
    { user, teams: [team] }: Principal,
  ) {
    this.#holders = [
      { kind: 'user', name: user },
      ...(team === undefined ? [] : [{ kind: 'team' as const, name: team }]),
    ];
  }

  /** `spent`: all of this attempt. What is said twice counts once. */
  async report(spent: Spent): Promise<void> {
    const used = less(spent, this.#reported);
    if (used.tokens + used.costUsd + used.toolCalls === 0) return;
    const at = isoNow(this.control.clock);
    await this.control.store.usage.add({
      principal: this.run,
      key: `${this.attempt} ${this.#reports}`,
      ...{ at, holders: this.#holders, day: at.slice(0, 10), used },
    });
    this.#reports += 1;
    this.#reported = spent;
  }

  async usedSoFar(): Promise<{ readonly user: HolderUsage; readonly team: HolderUsage | null }> {
    const at = isoNow(this.control.clock);
    const [user, team] = await Promise.all(
      this.#holders.map((holder) => usageOf(this.control.store, holder, at)),
    );
    if (user === undefined) throw new Error('a run has a requester');
    return { user, team: team ?? null };
  }
}

function less(all: Spent, before: Spent): Spent {
  return {
    tokens: Math.max(0, all.tokens - before.tokens),
    costUsd: Math.max(0, all.costUsd - before.costUsd),
    toolCalls: Math.max(0, all.toolCalls - before.toolCalls),
  };
}
