import type { Verdict } from '../decision.js';
import type { Page, PageRequest } from './paging.js';
import type { Compared } from './policy-store.js';

export const REPLAY_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

/** A draft tried on recorded decisions. The text is copied: a later edit of the draft does not change what was tried. */
export interface ReplayJob {
  readonly id: string;
  readonly policy: string;
  readonly text: string;
  readonly draftEtag: number | null;
  readonly requester: string;
  readonly createdAt: string;
  /** Records of this time, up to a place in the chain. */
  readonly from: string | null;
  readonly to: string | null;
  readonly throughSeq: number;
  readonly state: (typeof REPLAY_STATES)[number];
  readonly because: string | null;
  /** Place in the chain up to which it has got, and what was found until there. */
  readonly progress: {
    readonly seq: number;
    readonly looked: number;
    /** Records that could not be decided again. */
    readonly skipped: number;
    readonly flips: number;
    readonly teams: number;
  };
  readonly endedAt: string | null;
  /** 1 for a new job; grows by one with each change. */
  readonly etag: number;
}

/** A recorded call that the draft decides otherwise. */
export interface ReplayFlip {
  /** Of the audit record. */
  readonly seq: number;
  readonly at: string;
  readonly actor: string | null;
  readonly team: string | null;
  readonly tool: string;
  readonly before: Verdict;
  readonly after: Verdict;
  /** The rule or floor that decides now. */
  readonly by: string;
}

export abstract class ReplayStore {
  /** False where the id is taken. */
  abstract add(job: Omit<ReplayJob, 'etag'>): Promise<boolean>;
  abstract get(id: string): Promise<ReplayJob | null>;
  /** Newest first. */
  abstract list(policy: string, page: PageRequest): Promise<Page<ReplayJob>>;
  /** Queued or running, of all policies: oldest first, at most `limit`. */
  abstract unfinished(limit: number): Promise<readonly ReplayJob[]>;
  /** Replaces state, because, progress and end. */
  abstract change(job: ReplayJob, ifEtag: number): Promise<Compared<ReplayJob>>;
  /** A flip that is there already is left as it is: a job that begins again at its last progress repeats some. */
  abstract addFlips(id: string, flips: readonly ReplayFlip[]): Promise<void>;
  /** In chain order. */
  abstract flips(
    id: string,
    filter: { readonly team?: string; readonly tool?: string },
    page: PageRequest,
  ): Promise<Page<ReplayFlip>>;
  /** Flips by team, largest first, at most `limit` teams. */
  abstract flipCounts(
    id: string,
    limit: number,
  ): Promise<readonly { readonly team: string | null; readonly count: number }[]>;
}
