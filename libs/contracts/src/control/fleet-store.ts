import type { PolicyState } from '../decision.js';
import type { Page, PageRequest } from './paging.js';
import type { BundleRevision } from './policy-records.js';

/** What an agent says about itself, newest word only. */
export interface Heartbeat {
  readonly agent: string;
  readonly team: string | null;
  /** By the server's clock. */
  readonly at: string;
  readonly version: string;
  readonly platform: string;
  /** The scope of its bundle and the highest (epoch, revision) that it holds; null while it has none. */
  readonly bundle: (BundleRevision & { readonly scope: string }) | null;
  readonly policyState: PolicyState;
  /** Bytes of its audit log that wait to be shipped. */
  readonly spooled: number;
  /** Policy apiVersions that it understands. */
  readonly policyVersions: readonly string[];
  /** Why it refused the last answer of the bundle route: a code; null = it did not. */
  readonly refused: string | null;
  /** Its clock minus the server's, in milliseconds, as far as it says what its clock shows; the way there counts as being behind. */
  readonly clockSkewMs: number;
}

export interface FleetFilter {
  readonly team?: string;
  readonly version?: string;
  readonly policyState?: PolicyState;
  /** Last seen before this time. */
  readonly silentSince?: string;
  /** Holds a bundle below this revision, or none. */
  readonly belowRevision?: BundleRevision;
  /** Its clock is further off than this, one way or the other. */
  readonly clockOffMs?: number;
}

export const FLEET_GROUPS = ['version', 'policyState', 'team', 'revision'] as const;
export type FleetGroup = (typeof FLEET_GROUPS)[number];

export abstract class FleetStore {
  /** An older word than the one that is kept changes nothing, except that the highest reported revision never falls. */
  abstract record(heartbeats: readonly Heartbeat[]): Promise<void>;
  abstract get(agent: string): Promise<Heartbeat | null>;
  /** By agent. */
  abstract list(filter: FleetFilter, page: PageRequest): Promise<Page<Heartbeat>>;
  /** Largest first. The value of `revision` is `epoch.revision`, or null for none. */
  abstract counts(
    by: FleetGroup,
    filter: FleetFilter,
  ): Promise<readonly { readonly value: string | null; readonly count: number }[]>;
  /** What all of them together reported as waiting to be shipped. */
  abstract spooledBytes(): Promise<number>;
  /** The highest that any agent has ever reported, also one that is gone; null = none. */
  abstract highestReported(): Promise<BundleRevision | null>;
  /** Forgets agents that were not seen since; how many. */
  abstract prune(silentSince: string): Promise<number>;
}
