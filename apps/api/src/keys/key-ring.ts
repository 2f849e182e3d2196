import { randomBytes } from 'node:crypto';
import { type Clock, WrongStackError } from '@wrongstack/contracts';
import { type ControlPorts, type ControlStore, type StoredSigningKey } from '@wrongstack/contracts/control';
import type { KeyDocument, SignedText } from '@wrongstack/contracts/wire';
import {
  generateSigningKey,
  openKeyDocument,
  privateKeyText,
  publicKeyText,
  readSigningKey,
  signKeyDocument,
  type SigningKey,
} from '@wrongstack/policy/bundle';
import { recordAction, THE_SERVER } from '../control/action-trail.js';
import { RootKey } from '../control/root-key.js';
import type { Seal } from './seal.js';

/** The key that signs now, and the document that vouches for it. */
export interface Signer {
  readonly key: SigningKey;
  readonly epoch: number;
  readonly document: SignedText;
}

/** How long a signing key is published for. */
const GOOD_FOR_MS = 365 * 24 * 3_600_000;
/** How long the one before it still verifies, so that no client that was away is left without a bundle. */
const OVERLAP_MS = 30 * 24 * 3_600_000;

/**
 * The keys that sign bundles. The root key signs the document that lists them and is needed for nothing else: kept away from the server
 * (`root` = null), the server goes on with the keys that it has, and cannot make others.
 */
export class KeyRing extends RootKey {
  #signer: Signer | null = null;

  constructor(
    private readonly store: ControlStore,
    private readonly clock: Clock,
    private readonly seal: Seal,
    private readonly root: SigningKey | null,
    readonly publicKey: string,
  ) {
    super();
  }

  /** The key that signs now. Throws `keys.none` where there is none and the root key is away. */
  async signer(): Promise<Signer> {
    const newest = await this.store.keys.newestDocument();
    if (newest !== null && this.#signer?.epoch === newest.epoch) return this.#signer;
    if (newest === null) return this.rotate();
    const document = signedText(newest.document);
    const { keys, epoch } = openKeyDocument(document, this.publicKey);
    const key = await this.#usable(keys);
    this.#signer = { key, epoch, document };
    return this.#signer;
  }

  /** A new signing key and a new epoch; the key before it verifies a while longer. */
  async rotate(): Promise<Signer> {
    const { root } = this;
    if (root === null)
      throw new WrongStackError(
        'keys.root_away',
        'a new signing key needs the root key: put its file back for this one command',
      );
    const key = generateSigningKey(`k-${randomBytes(6).toString('hex')}`);
    this.#signer = await this.store.transaction((tx) => this.#add(tx, root, key));
    return this.#signer;
  }

  async #add(tx: ControlPorts, root: SigningKey, key: SigningKey): Promise<Signer> {
    const now = this.clock.now();
    const createdAt = new Date(now).toISOString();
    const notAfter = new Date(now + GOOD_FOR_MS).toISOString();
    const newest = await tx.keys.newestDocument();
    // Above what a restored store has learned of its clients, too.
    const { epoch: raised } = await tx.bundleRevision.current();
    const epoch = Math.max(newest?.epoch ?? 0, raised) + 1;
    const before = newest === null ? [] : openKeyDocument(signedText(newest.document), this.publicKey).keys;
    const overlap = new Date(now + OVERLAP_MS).toISOString();
    const kept = before
      .filter((one) => Date.parse(one.notAfter) > now)
      .map((one) => ({ ...one, notAfter: one.notAfter < overlap ? one.notAfter : overlap }));
    const publicKey = publicKeyText(key);
    const keys: KeyDocument['keys'] = [...kept, { keyId: key.keyId, publicKey, notAfter }];
    const document = signKeyDocument({ epoch, issuedAt: createdAt, keys }, root);
    const material = this.seal.close(key.keyId, privateKeyText(key));
    await tx.keys.addSigningKey({
      keyId: key.keyId,
      publicKey,
      material,
      createdAt,
      notAfter,
      retiredAt: null,
    });
    if (!(await tx.keys.addDocument({ epoch, document: JSON.stringify(document), createdAt })))
      throw new WrongStackError('store.conflict', 'another key was made meanwhile: try again');
    for (const { keyId } of kept) await tx.keys.retireSigningKey(keyId, createdAt);
    await tx.bundleRevision.setEpoch(epoch);
    if (newest !== null)
      await recordAction(tx, THE_SERVER, 'keys.rotated', { key: key.keyId, epoch }, createdAt);
    return { key, epoch, document };
  }

  /** The newest of the published keys whose private half is here. */
  async #usable(published: KeyDocument['keys']): Promise<SigningKey> {
    const now = this.clock.now();
    const known = await this.store.keys.signingKeys();
    const usable = (key: StoredSigningKey): boolean =>
      key.retiredAt === null &&
      published.some(({ keyId, notAfter }) => keyId === key.keyId && Date.parse(notAfter) > now);
    const stored = known.filter(usable).at(-1);
    if (stored === undefined)
      throw new WrongStackError('keys.none', 'no signing key is good any more: make one with --rotate-keys');
    return readSigningKey(stored.keyId, this.seal.open(stored.keyId, stored.material));
  }
}

function signedText(text: string): SignedText {
  // Written by #add, and verified by openKeyDocument before anything in it is believed.
  return JSON.parse(text) as SignedText;
}
