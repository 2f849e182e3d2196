import {
  canonicalJson,
  newId,
  type AuditEntry,
  type Decision,
  type RegisteredTool,
} from '@wrongstack/contracts';
import { auditIndexOf, chainHash, type ControlStore, EMPTY_AUDIT_HEAD } from '@wrongstack/contracts/control';
import { parsePolicyDocument, runPolicyTests } from '@wrongstack/policy';

/** A policy that decides nothing, to have real decisions of. */
const NOTHING = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: nothing, revision: 1, scope: { tier: org } }
rules: []
`;

/** What a client decides about a command, with real facts. */
export async function decisionAbout(
  command: string,
  tools: readonly RegisteredTool[],
  text = NOTHING,
): Promise<Decision> {
  const document = await parsePolicyDocument(text, { file: 'the policy' });
  const test = {
    name: 'call',
    call: { tool: 'bash', input: { command } },
    expect: { verdict: 'allow' } as const,
  };
  const [result] = await runPolicyTests({ ...document, tests: [test] }, tools);
  if (result?.decision == null) throw new Error(`no decision about ${command}: ${String(result?.message)}`);
  return result.decision;
}

/** As a client of this person ships them. */
export async function recordCalls(
  store: ControlStore,
  decisions: readonly Decision[],
  {
    actor = 'dana',
    team = null as string | null,
    source = `agent/${newId('CallId')}`,
    at = '2026-12-01T00:00:00.000Z',
  } = {},
): Promise<void> {
  let prev: string | null = null;
  const records = decisions.map((decision, seq) => {
    const entry: AuditEntry = { kind: 'decision', ts: at, session: null, run: null, call: null, decision };
    const hash = chainHash(prev ?? EMPTY_AUDIT_HEAD.hash, canonicalJson(entry));
    const record = { seq, prev, hash, index: auditIndexOf(entry, { actor, agent: null, team }), entry };
    prev = hash;
    return record;
  });
  await store.audit.append({ source, records }, at);
}
