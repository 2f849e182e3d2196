import type { SignedText } from './wire/bundle.js';

/** The least that a client may accept: it only grows, and starts anew with a higher epoch. */
export interface BundleFloor {
  readonly epoch: number;
  /** 0 = nothing of this epoch was accepted yet. */
  readonly revision: number;
  /** Highest signed time of this epoch, ISO 8601; null = none yet. */
  readonly time: string | null;
}

/** Texts as they came and nothing believed: every reader verifies them again. */
export interface BundleTexts {
  /** The newest key document. */
  readonly keys: SignedText | null;
  /** The bundle in force, with the key document under which it was accepted. */
  readonly held: { readonly bundle: SignedText; readonly keys: SignedText } | null;
  /** The newest signed time, as it stood in its header. */
  readonly time: string | null;
  readonly floor: BundleFloor | null;
}

export interface StoredTexts extends BundleTexts {
  /** A file that is there and cannot be read as what it should be; its part is null. */
  readonly damage: { readonly file: string; readonly reason: string } | null;
}

/** Where a client keeps what it was sent. Several processes share it. */
export abstract class BundleStore {
  /** Changes whenever another `read` would give something else. Cheap: asked for each call. */
  abstract stamp(): Promise<string>;
  abstract read(): Promise<StoredTexts>;
  /**
   * Reads, lets `work` say what changes, and writes that, while no other process does. What `work` leaves out stays.
   * The floor is written first: after a crash it may be ahead of the bundle, never behind.
   */
  abstract change(work: (texts: StoredTexts) => Promise<Partial<BundleTexts>>): Promise<void>;
  /** For people: where it is. */
  abstract readonly place: string;
}
