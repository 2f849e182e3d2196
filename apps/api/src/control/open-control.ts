import path from 'node:path';
import { openControlStore } from '@wrongstack/adapters/store';
import { type Clock, type Logger, systemClock } from '@wrongstack/contracts';
import type { ControlStore } from '@wrongstack/contracts/control';
import { ApprovalSweep } from '../approvals/approval-sweep.js';
import { ApprovalWatch } from '../approvals/approval-watch.js';
import { Authenticator, AuthenticatorChain } from '../auth/authenticator.js';
import { BundlePress } from '../bundles/bundle-press.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { OidcAuthenticator } from '../identity/oidc-authenticator.js';
import { OidcPeople } from '../identity/oidc-people.js';
import { OidcProvider } from '../identity/oidc-provider.js';
import { DecisionTrail } from '../decisions/decision-trail.js';
import { PublishedDocuments } from '../decisions/published-documents.js';
import { TokenAuthenticator } from '../identity/token-authenticator.js';
import type { KeyRing } from '../keys/key-ring.js';
import { openKeyRing } from '../keys/open-key-ring.js';
import { RolloutWatch } from '../policies/rollout-watch.js';
import { SteerRolloutHandler } from '../policies/steer-rollout.command.js';
import { ReplayRunner } from '../replay/replay-runner.js';
import { OidcSignIn } from '../session/oidc-sign-in.js';
import { SessionAuthenticator } from '../session/session-authenticator.js';
import { replayHere, replayInThread } from '../replay/replay-thread.js';
import { ControlPlane } from './control-plane.js';

/** Where the control plane keeps what it knows, and how it is reached. */
export interface ControlPlace {
  /** PostgreSQL, or null for a file of this machine. */
  readonly databaseUrl: string | null;
  /** The file of the store and the keys, where they are not elsewhere. */
  readonly folder: string;
  readonly organisation: string;
  readonly url: string;
  readonly sealKey: string | null;
  /** With which the console proves itself to the identity provider, where that wants it. */
  readonly oidcClientSecret?: string | null;
}

/** The SQLite file of a control plane without `databaseUrl`. */
export function storeFile({ folder }: Pick<ControlPlace, 'folder'>): string {
  return path.join(folder, 'control.db');
}

/** The parts of one control plane, wired by hand. Nest serves them. */
export class ControlParts {
  constructor(
    readonly control: OpenedControl,
    readonly authenticator: Authenticator,
    readonly tokens: TokenAuthenticator,
    readonly sessions: SessionAuthenticator,
    readonly oidcSignIn: OidcSignIn,
    readonly keys: KeyRing,
    readonly press: BundlePress,
    readonly watch: PublicationWatch,
    readonly replays: ReplayRunner,
    readonly rollouts: RolloutWatch,
    readonly approvals: ApprovalWatch,
    readonly sweep: ApprovalSweep,
    readonly documents: PublishedDocuments,
    readonly trail: DecisionTrail,
  ) {}

  /** From now on it looks after itself: news, replays, rollouts, approvals. A command of an operator does without. */
  start(): void {
    this.watch.start();
    this.replays.start();
    this.rollouts.start();
    this.approvals.start();
    this.sweep.start();
  }

  /** Lets everybody go who waits for news. */
  stop(): void {
    this.watch.stop();
    this.approvals.stop();
    this.sweep.stop();
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([this.replays.stop(), this.rollouts.stop()]);
    await this.control.store.close();
  }
}

/**
 * `others`: those who vouch for callers beside our own tokens and the identity provider. `threads`: the program's own file, which threads
 * for long work start with; null = such work takes its turns in this thread.
 */
export async function openControl(
  { databaseUrl, folder, organisation, url, sealKey, oidcClientSecret = null }: ControlPlace,
  log: Logger,
  others: readonly Authenticator[] = [],
  clock: Clock = systemClock,
  threads: URL | null = null,
): Promise<ControlParts> {
  const place = databaseUrl === null ? { file: storeFile({ folder }) } : { databaseUrl };
  const store = await openControlStore(place);
  try {
    const keys = await openKeyRing(store, clock, folder, sealKey);
    await keys.signer();
    const control = new OpenedControl(store, clock, organisation, url);
    const tokens = new TokenAuthenticator(control);
    const provider = new OidcProvider(clock);
    const people = new OidcPeople(control);
    const chain = new AuthenticatorChain([tokens, ...others, new OidcAuthenticator(provider, people, log)]);
    const sessions = new SessionAuthenticator(control, tokens, people);
    const oidcSignIn = new OidcSignIn(provider, people, oidcClientSecret);
    const watch = new PublicationWatch(store, log);
    const press = new BundlePress(store, clock, keys);
    const player = threads === null ? replayHere(place) : replayInThread(threads, place);
    const replays = new ReplayRunner(control, player, log);
    const steering = new SteerRolloutHandler(control, watch);
    const rollouts = new RolloutWatch(control, (halt) => steering.execute(halt), log);
    const approvals = new ApprovalWatch(store, log);
    const sweep = new ApprovalSweep(control, approvals, log);
    const documents = new PublishedDocuments(store, watch);
    const trail = new DecisionTrail(store);
    const told = [watch, replays, rollouts, approvals, sweep, documents, trail] as const;
    return new ControlParts(control, chain, tokens, sessions, oidcSignIn, keys, press, ...told);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What was opened, as everybody gets it. */
export class OpenedControl extends ControlPlane {
  #url: string;

  constructor(
    readonly store: ControlStore,
    readonly clock: Clock,
    readonly organisation: string,
    url: string,
  ) {
    super();
    this.#url = url;
  }

  get url(): string {
    return this.#url;
  }

  /** Port 0 lets the system choose one: people are told the one that was chosen. */
  listensAt(port: number): void {
    const url = new URL(this.#url);
    if (url.port !== '0') return;
    url.port = String(port);
    this.#url = url.origin;
  }
}
