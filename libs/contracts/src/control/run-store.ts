import type { RunId } from '../ids.js';
import type { JsonValue } from '../json-schema.js';
import type { Page, PageRequest } from './paging.js';
import type { Compared } from './policy-store.js';

export const SERVER_RUN_STATES = ['queued', 'running', 'parked', 'succeeded', 'failed', 'cancelled'] as const;
export type ServerRunState = (typeof SERVER_RUN_STATES)[number];

/** A governed run of an agent on the server. `spec` and `result` belong to those who start and execute it. */
export interface ServerRun {
  readonly id: RunId;
  readonly requester: string;
  readonly team: string | null;
  readonly spec: JsonValue;
  readonly state: ServerRunState;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Somebody wants it to end. */
  readonly cancel: { readonly by: string; readonly at: string } | null;
  readonly result: JsonValue;
  /** 1 for a new run; grows by one with each change. */
  readonly etag: number;
}

/** From 1 in its run, without gaps. */
export interface ServerRunEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly data: JsonValue;
}

export abstract class RunStore {
  /** False where the id is taken. */
  abstract add(run: Omit<ServerRun, 'etag'>): Promise<boolean>;
  abstract get(id: RunId): Promise<ServerRun | null>;
  /** Newest first. */
  abstract list(
    filter: { readonly requester?: string; readonly state?: ServerRunState },
    page: PageRequest,
  ): Promise<Page<ServerRun>>;
  /** Replaces state, times, cancel and result. */
  abstract change(run: ServerRun, ifEtag: number): Promise<Compared<ServerRun>>;
  /** The first event's `seq` must be one above the last one's: false where somebody else wrote meanwhile. */
  abstract appendEvents(id: RunId, events: readonly ServerRunEvent[]): Promise<boolean>;
  /** `seq` of the newest event, 0 where there is none; null = no such run. Within a transaction: nobody appends until it ends. */
  abstract lastEvent(id: RunId): Promise<number | null>;
  /** In order, at most `limit`. */
  abstract events(id: RunId, afterSeq: number, limit: number): Promise<readonly ServerRunEvent[]>;
}
