import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isoNow, messageOf, type Clock, type PolicyState } from '@wrongstack/contracts';
import {
  MAX_BUNDLE_BYTES,
  MAX_KEYS_BYTES,
  MAX_WAIT_SECONDS,
  POLICY_VERSIONS_HEADER,
  TIMESTAMP_HEADER,
  type Heartbeat,
} from '@wrongstack/contracts/wire';
import type { AgentSession } from './agent-session.js';
import type { ControlResponse } from './control-http.js';

/** What holds the signed policy; `CentralPolicy` of the policy library. */
export interface SignedPolicy {
  load(): Promise<unknown>;
  readonly etag: string | null;
  readonly hasKeys: boolean;
  readonly bundle: { readonly scope: string; readonly epoch: number; readonly revision: number } | null;
  take(
    answer: { readonly keys?: unknown; readonly bundle?: unknown; readonly timestamp: string | null },
    scope: string,
  ): Promise<{
    readonly accepted: boolean;
    readonly refused: { readonly code: string; readonly reason: string } | null;
  }>;
}

export interface RefreshOutcome {
  readonly accepted: boolean;
  readonly refused: { readonly code: string; readonly reason: string } | null;
}

export interface RefresherOptions {
  readonly session: AgentSession;
  readonly policy: SignedPolicy;
  readonly clock: Clock;
  readonly version: string;
  readonly platform: string;
  readonly state: () => PolicyState | Promise<PolicyState>;
  readonly auditPending: () => Promise<number>;
  readonly policyVersions?: readonly string[];
}

const RETRY_MS = [2_000, 5_000, 15_000, 30_000, 60_000] as const;
/** What a new key document can put right. */
const NEEDS_KEYS: readonly string[] = [
  'bundle.unknown_key',
  'bundle.no_keys',
  'bundle.other_epoch',
  'bundle.key_expired',
];

/** Fetches what is signed and hands it to whoever verifies it. Believes nothing itself. */
export class PolicyRefresher {
  private refused: RefreshOutcome['refused'] = null;

  constructor(private readonly options: RefresherOptions) {}

  /** One exchange. Throws what `exchange` throws; a refusal is an outcome, since what was held stays in force. */
  async refresh(signal: AbortSignal, waitSeconds = 0): Promise<RefreshOutcome> {
    const { session, policy } = this.options;
    const { scope } = await session.signedIn(signal);
    await policy.load();
    const keys = policy.hasKeys ? undefined : await this.keys(signal);
    const answer = await this.fetchBundle(scope, signal, waitSeconds);
    let outcome = await policy.take({ ...answer, ...(keys !== undefined && { keys }) }, scope);
    if (outcome.refused !== null && NEEDS_KEYS.includes(outcome.refused.code)) {
      outcome = await policy.take({ ...answer, keys: await this.keys(signal) }, scope);
    }
    this.refused = outcome.refused;
    return outcome;
  }

  /** Says what is in force here. */
  async heartbeat(signal: AbortSignal): Promise<void> {
    const { session, policy, clock, version, platform, state, auditPending } = this.options;
    const { policyVersions = ['policy.wrongstack/v1'] } = this.options;
    const { bundle } = policy;
    const said = {
      version,
      platform,
      bundle:
        bundle === null ? null : { scope: bundle.scope, epoch: bundle.epoch, revision: bundle.revision },
      state: await state(),
      policyVersions,
      auditPending: await auditPending(),
      refused: this.refused?.code ?? null,
    };
    // Last: what passes until it is heard counts as a clock that is behind.
    const body: Heartbeat = { ...said, time: isoNow(clock) };
    await session.send({ method: 'POST', path: 'heartbeats', body }, signal);
  }

  /**
   * Until aborted: asks at once, then waits for news with long polls. Each round ends with a heartbeat. `told` hears of each
   * round; it never rejects.
   */
  async follow(
    signal: AbortSignal,
    told: (
      round: RefreshOutcome | { readonly failed: { readonly code: string; readonly reason: string } },
    ) => void,
  ): Promise<void> {
    let failures = 0;
    let wait = 0;
    const aborted = (): boolean => signal.aborted;
    while (!aborted()) {
      try {
        const outcome = await this.refresh(signal, wait);
        await this.heartbeat(signal);
        told(outcome);
        failures = 0;
        wait = MAX_WAIT_SECONDS;
        // A server that answers a long poll at once with what we refuse must not be asked in a circle.
        if (outcome.refused !== null) await pause(RETRY_MS[3], signal);
      } catch (error) {
        if (aborted()) return;
        told({ failed: { code: codeOf(error), reason: messageOf(error) } });
        const longest = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 60_000;
        failures += 1;
        wait = 0;
        // Thousands of clients that lost the same server must not come back in the same second.
        await pause(longest * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  private async fetchBundle(scope: string, signal: AbortSignal, waitSeconds: number) {
    const { session, policy, policyVersions = ['policy.wrongstack/v1'] } = this.options;
    const path = `bundles/${encodeURIComponent(scope)}${waitSeconds === 0 ? '' : `?wait=${waitSeconds}`}`;
    const { etag } = policy;
    const headers = {
      [POLICY_VERSIONS_HEADER]: policyVersions.join(', '),
      ...(etag !== null && { 'if-none-match': etag }),
    };
    const timeoutMs = (waitSeconds + 20) * 1000;
    const response = await session.send({ path, headers, timeoutMs, maxBytes: MAX_BUNDLE_BYTES }, signal);
    const timestamp = response.headers.get(TIMESTAMP_HEADER);
    return isNothingNew(response) ? { timestamp } : { bundle: response.body ?? null, timestamp };
  }

  private async keys(signal: AbortSignal): Promise<unknown> {
    const { body } = await this.options.session.send({ path: 'keys', maxBytes: MAX_KEYS_BYTES }, signal);
    return body ?? null;
  }
}

function isNothingNew({ status }: ControlResponse): boolean {
  return status === 304;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
