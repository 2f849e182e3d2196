import { codeOf, messageOf, WrongStackError } from '@wrongstack/contracts';
import type { BundleFloor, BundleTexts } from '@wrongstack/contracts/control';
import type { Bundle, KeyDocument, SignedText } from '@wrongstack/contracts/wire';
import { laterOf } from './bundle-state.js';
import { openBundle, readBundleDocuments } from './bundle-text.js';
import { openKeyDocument } from './key-document.js';
import type { OpenedTexts } from './opened-texts.js';
import { readSignedText } from './signed-text.js';
import { openTimestamp } from './signed-time.js';

/** What a server said. A member that is missing was not said (304, or not asked); whatever else is there is judged. */
export interface ServerAnswer {
  readonly keys?: unknown;
  readonly bundle?: unknown;
  /** The header; null = there was none. */
  readonly timestamp: string | null;
}

export interface Trusted {
  /** The scope of this client. */
  readonly scope: string;
  /** Pinned at enrolment. */
  readonly rootKey: string;
  /** Milliseconds since the epoch. */
  readonly clock: number;
}

export interface Refusal {
  /** `bundle.*`, or `policy.invalid` for a document that cannot be read. */
  readonly code: string;
  readonly reason: string;
}

export interface Judgement {
  /** What is to be stored; what is left out stays as it is. */
  readonly change: Partial<BundleTexts>;
  /** The bundle was taken over. */
  readonly accepted: boolean;
  /** Why something was not believed; what was held stays in force. */
  readonly refused: Refusal | null;
}

/**
 * Judges one answer by what is held. Keys first, then the time, then the bundle: each stands on the one before. What is
 * refused changes nothing, and nothing that is missing, empty or broken is ever taken for "no policy".
 */
export async function judgeAnswer(
  held: OpenedTexts,
  answer: ServerAnswer,
  trusted: Trusted,
): Promise<Judgement> {
  const progress: Progress = { keys: held.keys, floor: held.floor, change: {} };
  let accepted = false;
  try {
    if (answer.keys !== undefined) takeKeys(progress, answer.keys, trusted);
    if (answer.timestamp !== null) takeTime(progress, answer.timestamp, held, trusted);
    if (answer.bundle !== undefined) {
      await takeBundle(progress, answer.bundle, held, trusted);
      accepted = true;
    }
    return { change: progress.change, accepted, refused: null };
  } catch (error) {
    return { change: progress.change, accepted, refused: { code: codeOf(error), reason: messageOf(error) } };
  }
}

interface Progress {
  keys: KeyDocument | null;
  floor: BundleFloor | null;
  change: { -readonly [K in keyof BundleTexts]?: BundleTexts[K] };
}

function takeKeys(progress: Progress, value: unknown, { rootKey }: Trusted): void {
  const document = openKeyDocument(value, rootKey);
  const least = Math.max(progress.keys?.epoch ?? 0, progress.floor?.epoch ?? 0);
  if (document.epoch < least) {
    throw refuse('bundle.old_keys', `the key document is of epoch ${document.epoch}, and ${least} was seen`);
  }
  progress.keys = document;
  progress.change.keys = readSignedText(value, 'keys');
  // What keys of an earlier epoch said about revisions and time is forgotten: one of them may have been stolen.
  if (document.epoch > (progress.floor?.epoch ?? 0)) {
    setFloor(progress, { epoch: document.epoch, revision: 0, time: null });
  }
}

function takeTime(progress: Progress, header: string, held: OpenedTexts, { clock }: Trusted): void {
  const keys = knownKeys(progress);
  const said = openTimestamp(header, keys, laterOf(clock, progress.floor?.time ?? null));
  sameEpoch(said.epoch, keys, 'the signed time');
  const highest = progress.floor?.time ?? null;
  const isNews = highest === null || Date.parse(said.time) > Date.parse(highest);
  if (isNews) {
    setFloor(progress, { epoch: said.epoch, revision: progress.floor?.revision ?? 0, time: said.time });
  }
  if (
    held.time === null ||
    held.time.epoch !== said.epoch ||
    Date.parse(said.time) > Date.parse(held.time.time)
  ) {
    progress.change.time = header;
  }
}

async function takeBundle(
  progress: Progress,
  value: unknown,
  held: OpenedTexts,
  trusted: Trusted,
): Promise<void> {
  const keys = knownKeys(progress);
  const now = laterOf(trusted.clock, progress.floor?.time ?? null);
  const bundle = openBundle(value, keys, now);
  sameEpoch(bundle.epoch, keys, 'the bundle');
  if (bundle.scope !== trusted.scope) {
    throw refuse(
      'bundle.other_scope',
      `the bundle is for ${bundle.scope}, and this client is ${trusted.scope}`,
    );
  }
  if (Date.parse(bundle.expiresAt) <= now) {
    throw refuse(
      'bundle.expired',
      `the bundle expired at ${bundle.expiresAt}: check the clocks of this machine and of the server`,
    );
  }
  checkFloor(bundle, progress.floor, held.held?.bundle ?? null);
  // Before anything is kept: a bundle is taken whole or not at all.
  await readBundleDocuments(bundle);
  progress.change.held = { bundle: readSignedText(value, 'bundle'), keys: signedKeys(progress, held) };
  setFloor(progress, { epoch: bundle.epoch, revision: bundle.revision, time: progress.floor?.time ?? null });
}

function checkFloor(bundle: Bundle, floor: BundleFloor | null, held: Bundle | null): void {
  if (floor !== null && isBelow(bundle, floor)) {
    throw refuse(
      'bundle.below_floor',
      `the bundle is revision ${bundle.revision} of epoch ${bundle.epoch}, and revision ${floor.revision} of epoch ${floor.epoch} was seen`,
    );
  }
  if (
    held === null ||
    held.epoch !== bundle.epoch ||
    held.revision !== bundle.revision ||
    held.scope !== bundle.scope
  )
    return;
  if (Date.parse(bundle.issuedAt) < Date.parse(held.issuedAt)) {
    throw refuse('bundle.older', `the bundle was signed at ${bundle.issuedAt}, before the one that is held`);
  }
}

export function isBelow(
  one: { readonly epoch: number; readonly revision: number },
  floor: { readonly epoch: number; readonly revision: number },
): boolean {
  return one.epoch < floor.epoch || (one.epoch === floor.epoch && one.revision < floor.revision);
}

/** A key may speak for the epoch that the root gave it, and for no later one. */
function sameEpoch(epoch: number, keys: KeyDocument, what: string): void {
  if (epoch === keys.epoch) return;
  throw refuse(
    'bundle.other_epoch',
    `${what} is of epoch ${epoch}, and the key document of epoch ${keys.epoch}`,
  );
}

function knownKeys({ keys }: Progress): KeyDocument {
  if (keys === null) throw refuse('bundle.no_keys', 'no key document is held yet');
  return keys;
}

function signedKeys(progress: Progress, held: OpenedTexts): SignedText {
  const text = progress.change.keys ?? held.texts.keys;
  if (text === null) throw refuse('bundle.no_keys', 'no key document is held yet');
  return text;
}

function setFloor(progress: Progress, floor: BundleFloor): void {
  progress.floor = floor;
  progress.change.floor = floor;
}

function refuse(code: string, why: string): WrongStackError {
  return new WrongStackError(code, `${why}: it was refused, what was held stays in force`);
}
