import { TASK_STATES } from '@wrongstack/contracts';
import { parts } from '@wrongstack/contracts/wire';
import type { Schema } from '../http/route-contract.js';

const { flag, list, oneOf, open, orNull, whole } = parts;
const TEXT: Schema = { type: 'string' };

const EXIT = open({
  state: oneOf('completed', 'failed', 'killed', 'lost'),
  exitCode: orNull({ type: 'integer' }),
  reason: orNull(TEXT),
  result: { ...TEXT, description: 'What the tool returned, scrubbed and cut.' },
  truncated: flag,
});

/** A task as it is shown: see `TaskRecord` in contracts. */
export const TASK: Schema = open({
  id: TEXT,
  owner: open({ tenant: orNull(TEXT), user: TEXT, session: TEXT }),
  call: TEXT,
  tool: TEXT,
  title: { ...TEXT, description: 'One line for lists: the command, say.' },
  inputDigest: TEXT,
  decision: TEXT,
  state: oneOf(...TASK_STATES),
  transitions: list(open({ state: oneOf(...TASK_STATES), at: TEXT, reason: orNull(TEXT) }), 1000),
  createdAt: TEXT,
  startedAt: orNull(TEXT),
  endedAt: orNull(TEXT),
  exit: orNull(EXIT),
  outputBytes: { ...whole(0), description: 'The cursor after the last byte.' },
});

export const OUTPUT: Schema = open({
  task: TEXT,
  state: oneOf(...TASK_STATES),
  exit: orNull(EXIT),
  text: TEXT,
  from: { ...whole(0), description: 'First byte of the text.' },
  next: { ...whole(0), description: 'The cursor to go on with.' },
  lost: { ...whole(0), description: 'Bytes before the text that are no longer kept.' },
  end: { ...whole(0), description: 'All bytes so far.' },
  done: flag,
});
