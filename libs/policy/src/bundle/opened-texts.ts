import { messageOf } from '@wrongstack/contracts';
import type { BundleFloor, StoredTexts } from '@wrongstack/contracts/control';
import type { Bundle, KeyDocument, SignedTime } from '@wrongstack/contracts/wire';
import type { PolicyDocument } from '../documents/policy-document.js';
import type { PolicyFailure } from '../documents/policy-documents.js';
import { openBundle, readBundleDocuments } from './bundle-text.js';
import { openKeyDocument } from './key-document.js';
import { openTimestamp } from './signed-time.js';

/** What is stored, verified again. */
export interface OpenedTexts {
  readonly texts: StoredTexts;
  readonly keys: KeyDocument | null;
  readonly held: { readonly bundle: Bundle; readonly documents: readonly PolicyDocument[] } | null;
  readonly time: SignedTime | null;
  /** The higher of what was written down and what is held. */
  readonly floor: BundleFloor | null;
  /**
   * A bundle was held here and is not any more, or is not what it was. Its denials are unknown, so every call is denied
   * until a good one has come.
   */
  readonly failure: PolicyFailure | null;
}

/** Verifies everything that is stored, from the pinned root key upwards. Never throws for what the texts say. */
export async function openTexts(texts: StoredTexts, rootKey: string, place: string): Promise<OpenedTexts> {
  const keys = attempt(() => (texts.keys === null ? null : openKeyDocument(texts.keys, rootKey)));
  const opened = await openHeld(texts, rootKey);
  const held = 'reason' in opened ? null : opened.held;
  const floor = higher(texts.floor, held?.bundle ?? null);
  const time = texts.time === null ? null : openTime(texts.time, keys, held?.keys ?? null);
  const common = { texts, keys: keys ?? held?.keys ?? null, time, floor };
  const reason = 'reason' in opened ? opened.reason : missing(texts, held?.bundle ?? null);
  if (reason !== null)
    return {
      ...common,
      held: null,
      failure: { file: texts.damage?.file ?? place, reason: `${reason}: wstack policy pull` },
    };
  return { ...common, held, failure: null };
}

type Held = {
  readonly bundle: Bundle;
  readonly keys: KeyDocument;
  readonly documents: readonly PolicyDocument[];
};

async function openHeld(
  texts: StoredTexts,
  rootKey: string,
): Promise<{ readonly held: Held | null } | { readonly reason: string }> {
  if (texts.damage !== null) return { reason: texts.damage.reason };
  if (texts.held === null) return { held: null };
  try {
    // By the key document under which it was accepted: a key that was retired since does not make it unknown.
    const keys = openKeyDocument(texts.held.keys, rootKey);
    const bundle = openBundle(texts.held.bundle, keys, null);
    return { held: { bundle, keys, documents: await readBundleDocuments(bundle) } };
  } catch (error) {
    return { reason: `the cached bundle cannot be verified (${messageOf(error)})` };
  }
}

/** Nothing held where something was, or something older than what was seen: somebody took it away. */
function missing({ floor }: StoredTexts, bundle: Bundle | null): string | null {
  if (floor === null || floor.revision === 0) return null;
  if (bundle === null) return `the bundle of revision ${floor.revision} is gone`;
  if (bundle.epoch === floor.epoch && bundle.revision >= floor.revision) return null;
  if (bundle.epoch > floor.epoch) return null;
  return `the cached bundle is revision ${bundle.revision}, and ${floor.revision} was held`;
}

function openTime(header: string, keys: KeyDocument | null, heldKeys: KeyDocument | null): SignedTime | null {
  for (const document of [keys, heldKeys]) {
    const time = document === null ? null : attempt(() => openTimestamp(header, document, null));
    if (time !== null) return time;
  }
  return null;
}

function higher(floor: BundleFloor | null, bundle: Bundle | null): BundleFloor | null {
  if (bundle === null) return floor;
  const { epoch, revision } = bundle;
  if (floor === null || epoch > floor.epoch) return { epoch, revision, time: null };
  if (epoch < floor.epoch) return floor;
  return { ...floor, revision: Math.max(floor.revision, revision) };
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
