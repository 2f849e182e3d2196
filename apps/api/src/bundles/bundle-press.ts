import type { Clock } from '@wrongstack/contracts';
import type { ControlStore } from '@wrongstack/contracts/control';
import { digestOf } from './payload-digest.js';
import type { SignedText } from '@wrongstack/contracts/wire';
import {
  compileForClient,
  createBundle,
  POLICY_V1,
  signBundle,
  vocabularyFor,
  timestampHeader,
} from '@wrongstack/policy/bundle';
import { parsePolicyDocument } from '@wrongstack/policy';
import type { KeyRing } from '../keys/key-ring.js';
import {
  allPolicies,
  type BundleReader,
  belongsTo,
  livePolicies,
  type LivePolicy,
  revisionFor,
} from './live-documents.js';

/** A bundle as it goes out. */
export interface PressedBundle {
  readonly signed: SignedText;
  /** `"<sha256 of the payload>"`. */
  readonly tag: string;
  readonly revision: number;
  readonly epoch: number;
}

/** The documents of one revision of the organisation, and the bundles that were made of them. */
interface Edition {
  readonly revision: number;
  readonly epoch: number;
  readonly live: readonly LivePolicy[];
  readonly pressed: Map<string, { readonly bundle: PressedBundle; readonly renewAt: number }>;
}

const GOOD_FOR_MS = 7 * 24 * 3_600_000;
const MOST_PRESSED = 2_000;

/**
 * Makes and signs bundles: one for each scope and each choice of staged revisions, however many clients ask. Each is signed
 * anew before half of its life has passed.
 */
export class BundlePress {
  #edition: Edition | null = null;

  constructor(
    private readonly store: ControlStore,
    private readonly clock: Clock,
    private readonly keys: KeyRing,
  ) {}

  /** What this reader must enforce; null while nothing was ever published. */
  async bundleFor(
    scope: string,
    reader: BundleReader,
    apiVersions: readonly string[],
  ): Promise<PressedBundle | null> {
    const edition = await this.#current();
    if (edition.revision === 0) return null;
    const chosen = edition.live
      .filter((policy) => belongsTo(policy, scope))
      .flatMap((policy) => {
        const revision = revisionFor(policy, reader);
        return revision === null
          ? []
          : [{ id: policy.policy.id, revision: revision.number, text: revision.text }];
      });
    const key = JSON.stringify([scope, apiVersions, chosen.map(({ id, revision }) => [id, revision])]);
    const known = edition.pressed.get(key);
    const now = this.clock.now();
    if (known !== undefined && known.renewAt > now) return known.bundle;
    const bundle = await this.#press(edition, scope, chosen, apiVersions, now);
    if (edition.pressed.size >= MOST_PRESSED) edition.pressed.clear();
    edition.pressed.set(key, { bundle, renewAt: now + GOOD_FOR_MS / 2 });
    return bundle;
  }

  /** Says, signed, which revision is the newest for this scope now. */
  async timestamp(scope: string): Promise<string> {
    const { key, epoch } = await this.keys.signer();
    const { revision } = await this.store.bundleRevision.current();
    return timestampHeader({ scope, epoch, revision, time: new Date(this.clock.now()).toISOString() }, key);
  }

  async #press(
    { revision, epoch }: Edition,
    scope: string,
    chosen: readonly { readonly id: string; readonly revision: number; readonly text: string }[],
    apiVersions: readonly string[],
    now: number,
  ): Promise<PressedBundle> {
    const { key } = await this.keys.signer();
    const compiled = await Promise.all(chosen.map((document) => compileText(document, apiVersions)));
    const signed = signBundle(
      createBundle({
        scope,
        epoch,
        revision,
        issuedAt: new Date(now).toISOString(),
        expiresAt: new Date(now + GOOD_FOR_MS).toISOString(),
        documents: compiled.flat(),
      }),
      key,
    );
    return { signed, tag: `"${digestOf(signed.payload)}"`, revision, epoch };
  }

  async #current(): Promise<Edition> {
    const [{ revision, epoch: raised }, { epoch }] = [
      await this.store.bundleRevision.current(),
      await this.keys.signer(),
    ];
    const known = this.#edition;
    if (known !== null && known.revision === revision && known.epoch === epoch) return known;
    const live = livePolicies(await allPolicies(this.store), await this.store.policies.liveRevisions());
    const edition = { revision, epoch: Math.max(epoch, raised), live, pressed: new Map() };
    this.#edition = edition;
    return edition;
  }
}

/** As the client can read it: what it cannot express reaches it as a denial. */
async function compileText(
  document: { readonly id: string; readonly revision: number; readonly text: string },
  apiVersions: readonly string[],
): Promise<readonly { readonly id: string; readonly revision: number; readonly text: string }[]> {
  const vocabulary = apiVersions.map(vocabularyFor).find((known) => known !== null) ?? POLICY_V1;
  const parsed = await parsePolicyDocument(document.text, { file: `${document.id} r${document.revision}` });
  return compileForClient(parsed, vocabulary).map((compiled) => ({
    id: compiled.metadata.id,
    revision: document.revision,
    text: JSON.stringify(compiled),
  }));
}
