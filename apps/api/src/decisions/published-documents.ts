import type { ControlStore } from '@wrongstack/contracts/control';
import { type LoadedPolicies, parsePolicyDocument, type PolicyDocument } from '@wrongstack/policy';
import {
  allPolicies,
  belongsTo,
  type BundleReader,
  livePolicies,
  type LivePolicy,
  revisionFor,
} from '../bundles/live-documents.js';
import type { PublicationWatch } from '../bundles/publication-watch.js';
import type { DocumentsInForce } from './central-documents.js';

const MOST_CHOICES = 2_000;

/** What was live at one moment, and the choices of it that were asked for. */
interface Edition {
  readonly news: number;
  readonly live: readonly LivePolicy[];
  readonly chosen: Map<string, Promise<LoadedPolicies>>;
}

/**
 * The documents that bind somebody, parsed once a publication. Read anew as soon as this process has published, and within a second of
 * another's publication; while the database is away, what was last read goes on binding.
 */
export class PublishedDocuments implements DocumentsInForce {
  #edition: Promise<Edition> | null = null;
  #news = -1;
  readonly #parsed = new Map<string, Promise<PolicyDocument>>();

  constructor(
    private readonly store: ControlStore,
    private readonly watch: PublicationWatch,
  ) {}

  async documentsFor(scope: string, reader: BundleReader): Promise<LoadedPolicies> {
    const { live, chosen } = await this.#current();
    const revisions = live
      .filter((policy) => belongsTo(policy, scope))
      .map((policy) => revisionFor(policy, reader))
      .filter((revision) => revision !== null);
    const key = revisions.map(({ policy, number }) => `${policy} ${number}`).join('\n');
    const known = chosen.get(key);
    if (known !== undefined) return known;
    const loading = Promise.all(
      revisions.map(({ policy, number, text }) => this.#parse(policy, number, text)),
    ).then((documents): LoadedPolicies => ({ documents, failure: null }));
    if (chosen.size >= MOST_CHOICES) chosen.clear();
    chosen.set(key, loading);
    loading.catch(() => chosen.delete(key));
    return loading;
  }

  /** One reading for all who ask meanwhile. A failed one binds nobody to nothing: it is thrown, and denies. */
  #current(): Promise<Edition> {
    const { news } = this.watch;
    if (this.#edition !== null && this.#news === news) return this.#edition;
    const reading = this.#read(news);
    this.#edition = reading;
    this.#news = news;
    reading.catch(() => {
      if (this.#edition === reading) this.#edition = null;
    });
    return reading;
  }

  async #read(news: number): Promise<Edition> {
    const live = livePolicies(await allPolicies(this.store), await this.store.policies.liveRevisions());
    return { news, live, chosen: new Map() };
  }

  /** With the number that was published: the text's own is what its author last wrote there. */
  #parse(policy: string, number: number, text: string): Promise<PolicyDocument> {
    const key = `${policy} ${number}`;
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    if (this.#parsed.size >= MOST_CHOICES) this.#parsed.clear();
    const parsing = parsePolicyDocument(text, { file: `${policy} r${number}` }).then((document) =>
      Object.freeze({ ...document, metadata: Object.freeze({ ...document.metadata, revision: number }) }),
    );
    this.#parsed.set(key, parsing);
    parsing.catch(() => this.#parsed.delete(key));
    return parsing;
  }
}
