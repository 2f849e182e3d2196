import {
  type CompileOptions,
  compilePolicies,
  parsePolicyDocument,
  type PolicyContext,
  type PolicyDocument,
} from '@wrongstack/policy';
import type { ContextPair, ReplayContexts } from './redecide.js';

/** Texts of documents that stand beside a draft, and the draft itself. Plain, so that a thread can be given them. */
export interface ReplayTexts {
  readonly draft: string;
  /** Those in force, without the one that the draft would replace. */
  readonly beside: readonly string[];
  /** That one; null = the draft is the first. */
  readonly replaces: string | null;
  readonly organisation: string;
}

/** Homes as they are named on the systems that clients run on. A record says where the project is, not whose home that is. */
const HOME_OF_PROJECT = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)(?=[\\/]|$)/;
/** Only documents that speak of `~` are compiled once a home; so many are kept. */
const MOST_CONTEXTS = 256;

/**
 * Compiles each team's documents once; teams without documents of their own share one. Where a document speaks of `~`, that is the home
 * that the recorded project lies in. Throws `policy.invalid`.
 */
export async function replayContexts(texts: ReplayTexts): Promise<ReplayContexts> {
  const parse = (text: string): Promise<PolicyDocument> => parsePolicyDocument(text, { file: 'the policy' });
  const draft = await parse(texts.draft);
  const beside = await Promise.all(texts.beside.map(parse));
  const replaced = texts.replaces === null ? [] : [await parse(texts.replaces)];
  const all = [...beside, ...replaced, draft];
  const homes = [texts.draft, texts.replaces ?? '', ...texts.beside].some((text) => text.includes('~'));
  const known = new Map<string, ContextPair>();
  return (team, { project }) => {
    const home = homes ? HOME_OF_PROJECT.exec(project)?.[0] : undefined;
    const own = all.some(({ metadata: { scope } }) => scope.tier === 'team' && scope.ref === team)
      ? team
      : null;
    const key = JSON.stringify([own, home]);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MOST_CONTEXTS) known.clear();
    const options = {
      tenant: { org: texts.organisation, ...(own === null ? {} : { team: own }) },
      ...(home === undefined ? {} : { home }),
    };
    const pair = {
      inForce: contextOf([...beside, ...replaced], own, options),
      withDraft: contextOf([...beside, draft], own, options),
    };
    known.set(key, pair);
    return pair;
  };
}

/** As a client of this team has it while it is in touch. What a person trusts on their machine is not known here. */
function contextOf(
  documents: readonly PolicyDocument[],
  team: string | null,
  options: CompileOptions,
): PolicyContext {
  const concerned = documents.filter(
    ({ metadata: { scope } }) => scope.tier !== 'team' || (team !== null && scope.ref === team),
  );
  return {
    policies: compilePolicies(concerned, options),
    trust: { status: 'ok', entries: [] },
    state: 'fresh',
    failure: null,
  };
}
