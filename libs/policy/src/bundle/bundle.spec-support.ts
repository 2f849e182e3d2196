import type { Clock } from '@wrongstack/contracts';
import { BundleStore, type BundleTexts, type StoredTexts } from '@wrongstack/contracts/control';
import type { Bundle, SignedText } from '@wrongstack/contracts/wire';
import { createBundle, signBundle } from './bundle-text.js';
import { CentralPolicy } from './central-policy.js';
import { signKeyDocument } from './key-document.js';
import { timestampHeader } from './signed-time.js';
import { generateSigningKey, publicKeyText, type SigningKey } from './signing-key.js';

export const HOUR = 3_600_000;
export const START = Date.parse('2026-12-01T12:00:00Z');
export const iso = (ms: number): string => new Date(ms).toISOString();

export const policyText = (rule: string, effect = 'deny'): string => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - { id: ${rule}, effect: ${effect}, actions: ["*"], because: said so }
`;

export class MemoryBundleStore extends BundleStore {
  override readonly place = '/home/mira/.wrongstack/control';
  texts: StoredTexts = { keys: null, held: null, time: null, floor: null, damage: null };
  private changes = 0;

  override async stamp(): Promise<string> {
    return String(this.changes);
  }

  override async read(): Promise<StoredTexts> {
    return this.texts;
  }

  override async change(work: (texts: StoredTexts) => Promise<Partial<BundleTexts>>): Promise<void> {
    this.put(await work(this.texts));
  }

  put(change: Partial<StoredTexts>): void {
    this.texts = { ...this.texts, ...change };
    this.changes += 1;
  }
}

/** A centre that signs for real, and a client that holds what it believed. */
export class BundleWorld {
  readonly root = generateSigningKey('root');
  key: SigningKey = generateSigningKey('k1');
  epoch = 1;
  now = START;
  readonly clock: Clock = { now: () => this.now };
  readonly store = new MemoryBundleStore();
  client = this.newClient();

  newClient(): CentralPolicy {
    return new CentralPolicy({ store: this.store, rootKey: publicKeyText(this.root), clock: this.clock });
  }

  keys(notAfter = START + 1000 * HOUR): SignedText {
    return signKeyDocument(
      {
        epoch: this.epoch,
        issuedAt: iso(START),
        keys: [{ keyId: this.key.keyId, publicKey: publicKeyText(this.key), notAfter: iso(notAfter) }],
      },
      this.root,
    );
  }

  bundleOf(revision: number, parts: Partial<Bundle> = {}, text = policyText(`rule-${revision}`)): Bundle {
    const base = {
      scope: 'team:payments',
      epoch: this.epoch,
      revision,
      issuedAt: iso(this.now),
      expiresAt: iso(this.now + 168 * HOUR),
    };
    return { ...createBundle({ ...base, documents: [{ id: 'payments', revision, text }] }), ...parts };
  }

  bundle(revision: number, parts: Partial<Bundle> = {}, text?: string): SignedText {
    return signBundle(this.bundleOf(revision, parts, text), this.key);
  }

  time(revision: number, at = this.now): string {
    return timestampHeader({ scope: 'team:payments', epoch: this.epoch, revision, time: iso(at) }, this.key);
  }

  /** One complete and good answer. */
  publish(revision: number) {
    return this.client.take(
      { keys: this.keys(), bundle: this.bundle(revision), timestamp: this.time(revision) },
      'team:payments',
    );
  }

  async rules(client = this.client): Promise<readonly string[]> {
    return (await client.load()).documents.flatMap(({ rules }) => rules.map(({ id }) => id));
  }

  state(graceHours = 24): string {
    return this.client.report({ staleGraceHours: graceHours }).state;
  }
}
