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
import type { KeyRing, Signer } from '../keys/key-ring.js';
import {
  allPolicies,
  type BundleReader,
  belongsTo,
  livePolicies,
  type LivePolicy,
  revisionFor,
} from './live-documents.js';
import { SharedRead } from './shared-read.js';

/** A bundle as it goes out. */
export interface PressedBundle {
  /** JSON of a `SignedText`: written once, whoever asks. */
  readonly text: string;
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
  readonly pressed: Map<string, { readonly bundle: Promise<PressedBundle>; readonly renewAt: number }>;
}

/** What is in force by the store, and who signs it. */
interface InForce {
  readonly revision: number;
  readonly raised: number;
  readonly signer: Signer;
}

interface SaidTime {
  readonly epoch: number;
  readonly revision: number;
  readonly at: number;
  readonly header: string;
}

const GOOD_FOR_MS = 7 * 24 * 3_600_000;
const MOST_PRESSED = 2_000;
/** A signed time is said again for so long: a signature for each of ten thousand answers would keep those that wait waiting. */
const SAME_TIME_MS = 500;

/**
 * Makes and signs bundles: one for each scope and each choice of staged revisions, however many clients ask. Each is signed
 * anew before half of its life has passed.
 */
export class BundlePress {
  readonly #now: SharedRead<InForce>;
  readonly #times = new Map<string, SaidTime>();
  #edition: { readonly of: string; readonly loaded: Promise<Edition> } | null = null;

  constructor(
    private readonly store: ControlStore,
    private readonly clock: Clock,
    keys: KeyRing,
  ) {
    this.#now = new SharedRead(async () => {
      const { revision, epoch } = await store.bundleRevision.current();
      return { revision, raised: epoch, signer: await keys.signer() };
    });
  }

  /** What this reader must enforce; null while nothing was ever published. */
  async bundleFor(
    scope: string,
    reader: BundleReader,
    apiVersions: readonly string[],
  ): Promise<PressedBundle | null> {
    const { signer, ...current } = await this.#now.get();
    const edition = await this.#editionOf(current.revision, current.raised, signer);
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
    // Kept before it is there: whoever asks meanwhile waits for the same one.
    const bundle = this.#press(edition, scope, chosen, apiVersions, now, signer);
    if (edition.pressed.size >= MOST_PRESSED) edition.pressed.clear();
    edition.pressed.set(key, { bundle, renewAt: now + GOOD_FOR_MS / 2 });
    bundle.catch(() => edition.pressed.delete(key));
    return bundle;
  }

  /** Says, signed, which revision is the newest for this scope now. */
  async timestamp(scope: string): Promise<string> {
    const { revision, signer } = await this.#now.get();
    const { key, epoch } = signer;
    const now = this.clock.now();
    const said = this.#times.get(scope);
    if (said?.revision === revision && said.epoch === epoch && Math.abs(now - said.at) < SAME_TIME_MS)
      return said.header;
    const header = timestampHeader({ scope, epoch, revision, time: new Date(now).toISOString() }, key);
    if (this.#times.size >= MOST_PRESSED) this.#times.clear();
    this.#times.set(scope, { epoch, revision, at: now, header });
    return header;
  }

  async #press(
    { revision, epoch }: Edition,
    scope: string,
    chosen: readonly { readonly id: string; readonly revision: number; readonly text: string }[],
    apiVersions: readonly string[],
    now: number,
    { key }: Signer,
  ): Promise<PressedBundle> {
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
    return {
      text: JSON.stringify(signed satisfies SignedText),
      tag: `"${digestOf(signed.payload)}"`,
      revision,
      epoch,
    };
  }

  #editionOf(revision: number, raised: number, { epoch: signedWith }: Signer): Promise<Edition> {
    const epoch = Math.max(signedWith, raised);
    const of = `${epoch}.${revision}`;
    if (this.#edition?.of === of) return this.#edition.loaded;
    const loaded = this.#load(revision, epoch);
    this.#edition = { of, loaded };
    loaded.catch(() => {
      if (this.#edition?.loaded === loaded) this.#edition = null;
    });
    return loaded;
  }

  async #load(revision: number, epoch: number): Promise<Edition> {
    const live = livePolicies(await allPolicies(this.store), await this.store.policies.liveRevisions());
    return { revision, epoch, live, pressed: new Map() };
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
