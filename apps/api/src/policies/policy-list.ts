import type { ControlStore, PolicyDraft, PolicyRecord, PolicyRevision } from '@wrongstack/contracts/control';
import type { PolicyView } from '@wrongstack/contracts/wire';
import { parsePolicyDocument } from '@wrongstack/policy';

const MOST_KNOWN = 500;

/** What a text holds, for a list. */
interface Contents {
  readonly title: string | null;
  readonly rules: number;
  readonly tests: number;
}

type Stores = Pick<ControlStore, 'policies' | 'fleet'>;

/** Policies as they are listed: what is in force, what is on its way, who is concerned and what was changed last. */
export class PolicyList {
  /** By the digest of the text: the same text holds the same, whoever published it. */
  readonly #contents = new Map<string, Promise<Contents>>();

  constructor(private readonly store: Stores) {}

  async views(policies: readonly PolicyRecord[]): Promise<readonly PolicyView[]> {
    const live = await this.store.policies.liveRevisions();
    const machines = await this.store.fleet.counts('team', {});
    return Promise.all(policies.map((policy) => this.#view(policy, live, machines)));
  }

  async #view(
    policy: PolicyRecord,
    live: readonly PolicyRevision[],
    machines: Awaited<ReturnType<Stores['fleet']['counts']>>,
  ): Promise<PolicyView> {
    const { id, tier, ref, activeRevision, newestRevision } = policy;
    const { policies } = this.store;
    const draft = policy.draftEtag === null ? null : await policies.draft(id);
    const newest = newestRevision === 0 ? null : await policies.revision(id, newestRevision);
    const own = live.filter((one) => one.policy === id);
    const shown = own.find(({ state }) => state === 'active') ?? newest ?? draft;
    const contents = shown === null ? NOTHING : await this.#contentsOf(shown);
    const concerned = tier === 'team' ? machines.filter(({ value }) => value === ref) : machines;
    return {
      ...{ id, tier, ref, activeRevision, newestRevision },
      draft:
        draft === null ? null : { etag: String(draft.etag), author: draft.author, savedAt: draft.savedAt },
      title: contents.title,
      staged: own.find(({ state }) => state === 'staged')?.number ?? null,
      awaiting: newest?.state === 'awaiting' ? newest.number : null,
      coverage: {
        rules: contents.rules,
        tests: contents.tests,
        agents: concerned.reduce((sum, { count }) => sum + count, 0),
        teams: concerned.filter(({ value }) => value !== null).length,
      },
      ...lastChange(policy, draft, newest),
    };
  }

  #contentsOf(shown: PolicyRevision | PolicyDraft): Promise<Contents> {
    // A draft changes with each save: reading it once is enough.
    if (!('digest' in shown)) return contentsOf(shown.text);
    const known = this.#contents.get(shown.digest);
    if (known !== undefined) return known;
    if (this.#contents.size >= MOST_KNOWN) this.#contents.clear();
    const reading = contentsOf(shown.text);
    this.#contents.set(shown.digest, reading);
    return reading;
  }
}

const NOTHING: Contents = { title: null, rules: 0, tests: 0 };

/** Nothing for a draft that is no policy yet. */
async function contentsOf(text: string): Promise<Contents> {
  try {
    const { metadata, rules, tests = [] } = await parsePolicyDocument(text, { file: 'the policy' });
    return { title: metadata.title ?? null, rules: rules.length, tests: tests.length };
  } catch {
    return NOTHING;
  }
}

function lastChange(
  policy: PolicyRecord,
  draft: PolicyDraft | null,
  newest: PolicyRevision | null,
): Pick<PolicyView, 'updatedAt' | 'updatedBy'> {
  const changes = [
    { updatedAt: policy.createdAt, updatedBy: policy.createdBy },
    ...(draft === null ? [] : [{ updatedAt: draft.savedAt, updatedBy: draft.author }]),
    ...(newest === null
      ? []
      : [{ updatedAt: newest.changedAt, updatedBy: newest.approver ?? newest.author }]),
  ];
  return changes.reduce((last, one) => (one.updatedAt >= last.updatedAt ? one : last));
}
