import { closed, list, oneOf, orNull, text, time, whole } from './schema-parts.js';
import type { PolicyState } from '../../decision.js';

/** `POST /v1/heartbeats`: 204. Who it is about is whoever the access token names. */
export interface Heartbeat {
  readonly version: string;
  readonly platform: string;
  /** The bundle in force; null = none. */
  readonly bundle: { readonly scope: string; readonly epoch: number; readonly revision: number } | null;
  readonly state: PolicyState;
  /** Policy apiVersions that it understands. */
  readonly policyVersions: readonly string[];
  /** Bytes of the audit log that wait to be shipped. */
  readonly auditPending: number;
  /** Why the last answer of the bundle route was refused: a code; null = it was not. */
  readonly refused: string | null;
  /** When it said so, by its own clock. */
  readonly time?: string;
}

export const heartbeatSchema = closed(
  {
    version: text(50),
    platform: text(50),
    bundle: orNull(closed({ scope: text(210), epoch: whole(1), revision: whole(1) })),
    state: oneOf('none', 'fresh', 'stale', 'expired', 'undetermined'),
    policyVersions: list(text(100), 10),
    auditPending: whole(0),
    refused: orNull(text(100)),
  },
  { time },
);
