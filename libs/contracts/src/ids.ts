declare const brand: unique symbol;

/** A string that was made for one purpose; plain strings do not pass for it. On the wire it is a string. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

export type SessionId = Branded<'SessionId'>;
export type RunId = Branded<'RunId'>;
/** The model's id of one tool call (`toolu_…`, `call_…`), or one that we made for a call without a model. */
export type CallId = Branded<'CallId'>;
export type DecisionId = Branded<'DecisionId'>;
export type ApprovalId = Branded<'ApprovalId'>;
export type TaskId = Branded<'TaskId'>;

/** Prefix of each printable id, so that a person can tell `s-20f1…` from `d-7f3a…`. */
export const ID_PREFIX = {
  SessionId: 's',
  RunId: 'r',
  CallId: 'c',
  DecisionId: 'd',
  ApprovalId: 'ap',
  TaskId: 't',
} as const;

/** Bytes of randomness; injected so that tests and replays can be deterministic. */
export type RandomBytes = (size: number) => Uint8Array;

/** A new printable id: prefix, dash, lower-case base32 of `bytes` random bytes (10 by default: 80 bits). */
export function newId<Name extends keyof typeof ID_PREFIX>(
  name: Name,
  random: RandomBytes = pooledRandom,
  bytes = 10,
): Branded<Name> {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  let text = '';
  for (const byte of random(bytes)) text += alphabet.charAt(byte & 31);
  for (const byte of random(bytes).slice(0, Math.ceil(bytes / 2))) text += alphabet.charAt(byte & 31);
  // The one place where a plain string becomes an id.
  return `${ID_PREFIX[name]}-${text}` as Branded<Name>;
}

let pool = new Uint8Array(0);
let used = 0;

/** Bytes of which none is given twice, taken from the system many at a time: asking it anew for each id costs as much as a decision. */
function pooledRandom(size: number): Uint8Array {
  if (used + size > pool.length) {
    pool = globalThis.crypto.getRandomValues(new Uint8Array(Math.max(4_096, size)));
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}
