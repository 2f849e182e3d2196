import type { RegisteredTool } from '@wrongstack/contracts';
import type { PolicyRecord } from '@wrongstack/contracts/control';
import type { DraftTestReport } from '@wrongstack/contracts/wire';
import { type LintFinding, lintPolicies, policyProblems } from '@wrongstack/policy';
import type { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { type CentralDocument, readCentralDocument, requirePlace, testDocument } from './check-policy.js';
import { documentsInForce } from './documents-in-force.js';

/** What an editor shows while somebody types. */
export interface CheckedDraft {
  readonly valid: boolean;
  readonly problems: readonly DraftProblem[];
  readonly findings: readonly LintFinding[];
  /** Null while it is not valid. */
  readonly tests: DraftTestReport | null;
  readonly place: Pick<PolicyRecord, 'id' | 'tier' | 'ref'> | null;
}

export interface DraftProblem {
  /** From 1; null = the text as a whole. */
  readonly line: number | null;
  readonly column: number | null;
  readonly path: string;
  readonly message: string;
}

/** A text that may be anything at all, for the policy `id`, which need not exist yet. Never throws for what the text says. */
export async function checkDraft(
  { store, clock, organisation }: Pick<ControlPlane, 'store' | 'clock' | 'organisation'>,
  tools: readonly RegisteredTool[],
  id: string,
  text: string,
): Promise<CheckedDraft> {
  const problems = await problemsOf(text);
  if (problems.length > 0) return { valid: false, problems, findings: [], tests: null, place: null };
  try {
    const central = await readCentralDocument(text, organisation);
    const known = await store.policies.get(id);
    if (known !== null) requirePlace(known, central.place);
    return await checked(central, tools, { store, clock });
  } catch (error) {
    // Legal, and nothing that is published from here, or not this policy.
    if (!(error instanceof ApiProblem)) throw error;
    const problem = { line: null, column: null, path: '/metadata', message: error.message };
    return { valid: false, problems: [problem], findings: [], tests: null, place: null };
  }
}

async function checked(
  { document, place }: CentralDocument,
  tools: readonly RegisteredTool[],
  { store, clock }: Pick<ControlPlane, 'store' | 'clock'>,
): Promise<CheckedDraft> {
  const knownCapabilities = tools.flatMap(({ capabilities = [] }) => capabilities);
  return {
    valid: true,
    problems: [],
    findings: lintPolicies([document], { clock, knownCapabilities }),
    tests: await testDocument(document, tools, await documentsInForce(store)),
    place,
  };
}

async function problemsOf(text: string): Promise<readonly DraftProblem[]> {
  const problems = await policyProblems(text, { file: 'the policy' });
  return problems.map(({ place, pointer, what, next }) => ({
    line: place?.line ?? null,
    column: place?.column ?? null,
    path: pointer,
    message: `${what}: ${next}`,
  }));
}
