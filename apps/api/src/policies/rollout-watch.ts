import { type Clock, codeOf, type Logger, messageOf } from '@wrongstack/contracts';
import type { AuditFilter, ControlStore, PolicyRecord, PolicyRevision } from '@wrongstack/contracts/control';
import { isInRollout } from '@wrongstack/policy/bundle';
import { THE_SERVER } from '../control/action-trail.js';
import { takeTurn } from '../control/lease.js';
import { readSettings } from '../identity/settings.js';
import { denialSpike, type DecisionTally } from './denial-spike.js';
import { SteerRollout } from './steer-rollout.command.js';

const CHECK_EVERY_MS = 60_000;
/** A spike is something recent. It also bounds what a check reads. */
const WINDOW_MS = 3_600_000;
/** What the same people were told before they had it. */
const BEFORE_MS = 24 * 3_600_000;
const MOST_GROUPS = 1_000;

interface Parts {
  readonly store: ControlStore;
  readonly clock: Clock;
}

type Halt = (command: SteerRollout) => Promise<PolicyRevision>;

/** Takes a staged revision back, without anybody asking, when those who have it are suddenly denied much more. One replica checks at a time. */
export class RolloutWatch {
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> | null = null;

  constructor(
    private readonly parts: Parts,
    private readonly halt: Halt,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => {
      this.#checking ??= this.#tick().finally(() => {
        this.#checking = null;
      });
    }, CHECK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#checking;
  }

  async #tick(): Promise<void> {
    try {
      const { store, clock } = this.parts;
      if (await takeTurn(store, 'rollout-watch', clock.now(), CHECK_EVERY_MS)) await this.check();
    } catch (error) {
      this.log.warn('could not check rollouts', { because: messageOf(error) });
    }
  }

  /** Looks at every staged revision once. */
  async check(): Promise<void> {
    const { store } = this.parts;
    const { value } = await readSettings(store);
    if (value.haltOnDenials === null) return;
    const staged = (await store.policies.liveRevisions()).filter(({ state }) => state === 'staged');
    for (const revision of staged) {
      const policy = await store.policies.get(revision.policy);
      if (policy === null) continue;
      const because = denialSpike(...(await this.#tallies(policy, revision)), value.haltOnDenials);
      if (because !== null) await this.#halt(revision, because);
    }
  }

  async #halt({ policy, number }: PolicyRevision, because: string): Promise<void> {
    try {
      await this.halt(new SteerRollout(THE_SERVER, policy, number, { to: 'halt', because }));
      this.log.warn('a rollout was halted', { policy, revision: number, because });
    } catch (error) {
      // Somebody steered it meanwhile: what it is now is looked at the next time.
      this.log.warn('a rollout could not be halted', { policy, revision: number, code: codeOf(error) });
    }
  }

  /** Of those who have the revision; of them before they had it, and of the others now. */
  async #tallies(
    policy: PolicyRecord,
    { rollout, changedAt }: PolicyRevision,
  ): Promise<[DecisionTally, DecisionTally[]]> {
    const now = this.parts.clock.now();
    const since = Date.parse(changedAt);
    const scope = policy.tier === 'team' ? { team: policy.ref } : {};
    const has = (actor: string, team: string | null): boolean =>
      isInRollout(rollout, { id: actor, teams: team === null ? [] : [team] });
    const recent = await this.#counts({ ...scope, from: iso(Math.max(since, now - WINDOW_MS)) });
    const earlier = await this.#counts({ ...scope, from: iso(since - BEFORE_MS), to: iso(since) });
    return [
      tally(recent.filter(({ actor, team }) => has(actor, team))),
      [
        tally(earlier.filter(({ actor, team }) => has(actor, team))),
        tally(recent.filter(({ actor, team }) => !has(actor, team))),
      ],
    ];
  }

  /** Of the most active people, where there are very many. */
  async #counts(filter: AuditFilter): Promise<readonly PersonCount[]> {
    const counts = await this.parts.store.audit.counts(
      { ...filter, kind: 'decision' },
      ['actor', 'team', 'verdict'],
      MOST_GROUPS,
    );
    return counts.map(({ by, count }) => ({
      actor: String(by.actor ?? ''),
      team: typeof by.team === 'string' ? by.team : null,
      denied: by.verdict === 'deny' ? count : 0,
      decided: count,
    }));
  }
}

interface PersonCount extends DecisionTally {
  readonly actor: string;
  readonly team: string | null;
}

function tally(counts: readonly PersonCount[]): DecisionTally {
  return {
    decided: counts.reduce((sum, { decided }) => sum + decided, 0),
    denied: counts.reduce((sum, { denied }) => sum + denied, 0),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
