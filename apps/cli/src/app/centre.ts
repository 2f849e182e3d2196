import path from 'node:path';
import {
  AgentBearers,
  AgentSession,
  AuditShipper,
  AuditSpool,
  ControlClient,
  FileBundleStore,
  IdentityFile,
  MetricReports,
  PolicyRefresher,
  readEnrolment,
  RemoteApprovals,
  SharedUsage,
  type Enrolment,
  type StoredIdentity,
} from '@wrongstack/adapters/control';
import type { Growth } from '@wrongstack/adapters/metrics';
import type { ApprovalRequest, Clock } from '@wrongstack/contracts';
import type { ApprovalView } from '@wrongstack/contracts/wire';
import { CentralPolicy, EnrolledState, type StateReport } from '@wrongstack/policy/bundle';
import { VERSION } from '../version.js';
import type { AgentPaths } from './agent-paths.js';

/** Decisions that the server does not have; beyond it, dangerous calls are denied. */
const SPOOL_BYTES = 64 * 1024 * 1024;
const MEASURE_EVERY_MS = 2_000;
/** A short run asks the server again when it has not heard of it for this long. */
const ASK_AFTER_MS = 5 * 60_000;
/** What the end of a command may take for it, after its answer is out. */
const LAST_WORD_MS = 3_000;
/** What was used up goes to the server at most so often, for budgets that several machines share. */
const SEND_EVERY_MS = 10_000;
const NOTHING: Growth = { counters: [], histograms: [] };

export interface CentreParts {
  readonly paths: AgentPaths;
  readonly clock: Clock;
  readonly scrub: (text: string) => string;
  /** Wait for approvers, or park the call. */
  readonly interactive: boolean;
  /** What this process counted since it was last asked. */
  readonly takeGrowth?: () => Growth;
  readonly spoolBytes?: number;
}

/** Null where neither this machine nor this account is enrolled. Throws `enrolment.unreadable`: a broken enrolment is not none. */
export async function openCentre(parts: CentreParts): Promise<Centre | null> {
  const { managedDir, control } = parts.paths;
  const enrolment = await readEnrolment({ managedFolder: managedDir, folder: control });
  if (enrolment === null) return null;
  const identityFile = new IdentityFile(control);
  return new Centre(enrolment, identityFile, await identityFile.read(), parts);
}

/** Everything of an enrolled client: the signed policy, who it is, and what it exchanges with the server beside the work. */
export class Centre {
  readonly policy: CentralPolicy;
  readonly state: EnrolledState;
  readonly session: AgentSession;
  readonly client: ControlClient;
  readonly refresher: PolicyRefresher;
  readonly shipper: AuditShipper;
  readonly reports: MetricReports;
  /** As the session is: one that a person sits at waits. */
  readonly approvals: RemoteApprovals;
  /** What people used up over all their machines; null while nobody is signed in. */
  readonly usage: SharedUsage | null;
  /** Whose the bearers are that others present here. */
  readonly bearers: AgentBearers;
  /** Why the last exchange in the background came to nothing; null = it did not. */
  trouble: string | null = null;
  /** Hears when policy state or revision may have changed. */
  onChange: () => void = () => undefined;
  onApproval: (request: ApprovalRequest, view: ApprovalView) => void = () => undefined;

  private readonly spool: AuditSpool;
  private readonly stop = new AbortController();
  private following: Promise<void> | null = null;
  private measured = { at: Number.NEGATIVE_INFINITY, full: false };
  private graceHours = 24;
  #sentAt = Number.NEGATIVE_INFINITY;
  #used = false;
  #noting: Promise<void> | null = null;

  constructor(
    readonly enrolment: Enrolment,
    readonly identityFile: IdentityFile,
    readonly identity: StoredIdentity | null,
    private readonly parts: CentreParts,
  ) {
    const { paths, clock, interactive } = parts;
    const folder = paths.control;
    this.policy = new CentralPolicy({
      store: new FileBundleStore(folder, enrolment.rootKey),
      rootKey: enrolment.rootKey,
      clock,
    });
    this.spool = new AuditSpool(paths.audit, path.join(folder, 'shipped'), enrolment.since);
    this.state = new SpooledState(this.policy, this);
    this.session = new AgentSession(identityFile, folder, clock);
    this.client = new ControlClient(this.session);
    this.shipper = new AuditShipper(this.spool, this.session, folder);
    this.reports = new MetricReports(
      this.session,
      path.join(folder, 'metrics'),
      () => clock.now(),
      parts.takeGrowth ?? (() => NOTHING),
    );
    const { session, reports } = this;
    this.usage =
      identity === null
        ? null
        : new SharedUsage({ session, reports, folder, agent: identity.agent.id, clock });
    this.approvals = this.askOthers(interactive);
    this.bearers = new AgentBearers(enrolment.server, clock);
    this.refresher = new PolicyRefresher({
      session: this.session,
      policy: this.policy,
      clock,
      version: VERSION,
      platform: `${process.platform}-${process.arch}`,
      state: () => this.policy.report({ staleGraceHours: this.graceHours }).state,
      auditPending: () => this.spool.pendingBytes(),
    });
  }

  /** Asks other people; null = nobody is signed in here who could. */
  othersFor(waits: boolean): RemoteApprovals | null {
    return this.identity === null ? null : this.askOthers(waits);
  }

  /** Looks at the files alone. */
  async report(graceHours: number): Promise<StateReport> {
    this.graceHours = graceHours;
    await this.policy.load();
    return this.policy.report({ staleGraceHours: graceHours });
  }

  /** Follows the server beside the work until `close`. Nothing ever waits for it. */
  follow(): void {
    if (this.identity === null || this.following !== null) return;
    const { signal } = this.stop;
    this.following = this.refresher.follow(signal, (round) => {
      this.trouble = 'failed' in round ? round.failed.reason : (round.refused?.reason ?? null);
      this.onChange();
      if (!('failed' in round)) void this.ship(signal).catch(() => undefined);
    });
  }

  /** Decisions first: of what is counted they are the part that must be exact. */
  private async ship(signal: AbortSignal): Promise<void> {
    await this.shipper.ship(signal);
    await this.reports.ship(signal);
  }

  /** What the server does not have of the decisions of this machine. */
  async spooled(): Promise<{ readonly bytes: number; readonly oldest: string | null }> {
    return { bytes: await this.spool.pendingBytes(), oldest: await this.spool.oldestPending() };
  }

  /**
   * Something was counted that a kill must not lose, and that budgets of other machines look at. Written down at once, sent now and
   * then; never awaited, and never rejects.
   */
  noteUse(): void {
    if (this.identity === null || this.stop.signal.aborted) return;
    this.#used = true;
    this.#noting ??= this.#noteUse().finally(() => (this.#noting = null));
  }

  async #noteUse(): Promise<void> {
    while (this.#used) {
      this.#used = false;
      await this.reports.keep().catch(() => undefined);
      const now = this.parts.clock.now();
      if (this.following === null || now - this.#sentAt < SEND_EVERY_MS) continue;
      this.#sentAt = now;
      // The server is away: the next time.
      void this.reports.ship(this.stop.signal).catch(() => undefined);
    }
  }

  /** Dangerous calls are denied while it is. */
  async isSpoolFull(): Promise<boolean> {
    const { clock, spoolBytes = SPOOL_BYTES } = this.parts;
    if (clock.now() - this.measured.at >= MEASURE_EVERY_MS) {
      this.measured = { at: clock.now(), full: (await this.spool.pendingBytes()) > spoolBytes };
    }
    return this.measured.full;
  }

  /** `waits`: for their answer; else the call is parked. */
  private askOthers(waits: boolean): RemoteApprovals {
    const { paths, scrub } = this.parts;
    return new RemoteApprovals({
      client: this.client,
      folder: path.join(paths.control, 'approvals'),
      scrub,
      waits: () => waits,
      onProgress: (request, view) => this.onApproval(request, view),
    });
  }

  /** The end of a command: what is left to say is said within a short time, or by the next one. */
  async close(): Promise<void> {
    const followed = this.following !== null;
    this.stop.abort();
    await this.following;
    if (this.identity === null) return;
    // Before anything is sent: what cannot be sent now is there for the next command.
    await this.reports.keep().catch(() => undefined);
    const limit = AbortSignal.timeout(LAST_WORD_MS);
    try {
      const heard = this.policy.heardAt;
      if (!followed && (heard === null || this.parts.clock.now() - heard > ASK_AFTER_MS)) {
        await this.refresher.refresh(limit);
        await this.refresher.heartbeat(limit);
      }
      await this.ship(limit);
    } catch {
      // The server is away: the spool keeps it, and the state says how old the policy is.
    }
  }
}

class SpooledState extends EnrolledState {
  constructor(
    policy: CentralPolicy,
    private readonly centre: Pick<Centre, 'isSpoolFull'>,
  ) {
    super(policy);
  }

  override spoolIsFull(): Promise<boolean> {
    return this.centre.isSpoolFull();
  }
}
