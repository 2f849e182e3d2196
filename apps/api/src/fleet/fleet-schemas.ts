import { parts } from '@wrongstack/contracts/wire';
import type { Schema } from '../http/route-contract.js';

const { list, oneOf, open, orNull, whole } = parts;
const TEXT: Schema = { type: 'string' };

export const FLEET_STATES = ['none', 'fresh', 'stale', 'expired', 'undetermined'] as const;
export const DRIFTS = ['behind', 'silent', 'state', 'refused', 'clock'] as const;

/** What a machine said last, whose it is, and where it is not as it should be. */
export const MACHINE: Schema = open({
  agent: TEXT,
  name: { ...orNull(TEXT), description: 'Null = the agent is gone.' },
  owner: orNull(TEXT),
  team: orNull(TEXT),
  at: { ...TEXT, description: 'When it was heard of last, by the clock of the server.' },
  version: TEXT,
  platform: TEXT,
  bundle: orNull(open({ scope: TEXT, epoch: whole(0), revision: whole(0) })),
  policyState: oneOf(...FLEET_STATES),
  spooled: { ...whole(0), description: 'Bytes of its audit log that wait to be shipped.' },
  policyVersions: list(TEXT, 10),
  refused: { ...orNull(TEXT), description: 'Why it refused the last answer of the bundle route: a code.' },
  clockSkewMs: {
    type: 'integer',
    description:
      'Its clock minus the server’s; the way of its word to the server counts as being behind. 0 where it does not say.',
  },
  drift: list(oneOf(...DRIFTS), DRIFTS.length),
});

const COUNTS = list(open({ value: orNull(TEXT), count: whole(0) }), 1000);

export const DRIFT: Schema = open({
  current: { ...open({ epoch: whole(0), revision: whole(0) }), description: 'What should run.' },
  counts: {
    ...open({ version: COUNTS, policyState: COUNTS, revision: COUNTS }),
    description: 'How many say what; a revision is `epoch.revision`, null = none.',
  },
  items: { ...list(MACHINE, 1000), description: 'Those of the reason that was asked for.' },
  next: orNull(TEXT),
});
