import type { AuditEntry, Decision, RuleMatch, Verdict } from '@wrongstack/contracts';
import { VERDICTS } from '@wrongstack/contracts';
import type { ControlStore, ShadowCount, ShippedRecord } from '@wrongstack/contracts/control';
import { parsePolicyDocument } from '@wrongstack/policy';

const MOST_KNOWN = 500;

/** Which rules of a published revision are on trial. A revision never changes, so each is read once. */
export class ShadowRules {
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(private readonly store: Pick<ControlStore, 'policies'>) {}

  /** What these records say about rules on trial, by hour. Empty for almost every batch. */
  async countsIn(records: readonly ShippedRecord[], team: string | null): Promise<readonly Counted[]> {
    const counts: Counted[] = [];
    for (const { seq, entry } of records) {
      for (const match of trialsIn(entry)) {
        const rules = await this.#rulesOf(match.document, match.revision);
        if (!rules.has(match.id)) continue;
        counts.push({ seq, count: countOf(match, entry, team) });
      }
    }
    return counts;
  }

  #rulesOf(document: string, revision: number): Promise<ReadonlySet<string>> {
    const key = JSON.stringify([document, revision]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const reading = this.#read(document, revision);
    this.#known.set(key, reading);
    reading.catch(() => this.#known.delete(key));
    return reading;
  }

  async #read(document: string, revision: number): Promise<ReadonlySet<string>> {
    const found = await this.store.policies.revision(document, revision);
    if (found === null) return new Set();
    const { mode, rules } = await parsePolicyDocument(found.text, { file: `${document} r${revision}` });
    return new Set(rules.filter((rule) => (rule.mode ?? mode) === 'shadow').map(({ id }) => id));
  }
}

/** A count, and the record that it comes from: a record that is known already is not counted again. */
export interface Counted {
  readonly seq: number;
  readonly count: ShadowCount;
}

/** Matches that were recorded and not applied. Sent by clients, so each is looked at before it is believed to have a shape. */
function trialsIn({ kind, decision }: AuditEntry): readonly RuleMatch[] {
  if (kind !== 'decision' || decision === undefined) return [];
  // Older clients may leave it out, whatever its type says.
  const matches: unknown = decision.matches;
  if (!Array.isArray(matches)) return [];
  return (matches as readonly RuleMatch[]).filter(
    ({ applied, id, document, revision }) =>
      !applied && isName(id) && isName(document) && Number.isSafeInteger(revision) && revision >= 1,
  );
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 200;
}

function countOf(match: RuleMatch, { ts, decision }: AuditEntry, team: string | null): ShadowCount {
  const { document, revision, id: rule } = match;
  return {
    ...{ document, revision, rule, team },
    tool: decision?.facts.tool.slice(0, 200) ?? '',
    hour: `${ts.slice(0, 13)}:00:00.000Z`,
    matched: 1,
    diverged: decision !== undefined && diverges(match, decision) ? 1 : 0,
  };
}

/** Would the verdict have been another one? An allow lowers soft floors alone, and only where nothing else stands. */
function diverges({ effect }: RuleMatch, { demanded, verdict, floors }: Decision): boolean {
  // What was demanded before the channel; where a client does not say, what came of it.
  const now: Verdict = VERDICTS.includes(demanded) ? demanded : verdict;
  if (effect === 'oblige') return false;
  if (effect !== 'allow') return VERDICTS.indexOf(effect) > VERDICTS.indexOf(now);
  const standing = Array.isArray(floors) ? floors.filter(({ loweredBy }) => loweredBy === null) : [];
  return now !== 'allow' && standing.length > 0 && standing.every(({ kind }) => kind === 'soft');
}
