import type { AuditStore, ChainProblem } from '@wrongstack/contracts/control';
import { ChainVerifier } from '@wrongstack/contracts/control';
import type { ChainReport } from '@wrongstack/contracts/wire';

const MOST_SOURCES = 10_000;

export interface VerifyProgress {
  readonly checked: number;
  readonly of: number;
}

/** Follows the whole chain, in pieces; the last value is the report. Stops at the first row that does not fit. */
export async function* verifyChain(
  audit: AuditStore,
  signal: AbortSignal,
): AsyncGenerator<VerifyProgress, ChainReport> {
  const head = await audit.head();
  const verifier = new ChainVerifier();
  const flagged = new Set<string>();
  let problem: ChainProblem | null = null;
  for await (const rows of audit.stream({ filter: { throughSeq: head.seq }, signal })) {
    for (const row of rows) {
      problem = verifier.next(row);
      if (problem !== null) break;
      if (row.link !== 'continues' && flagged.size < MOST_SOURCES) flagged.add(row.source);
    }
    if (problem !== null) break;
    yield { checked: verifier.checked, of: head.seq };
  }
  problem ??= verifier.end(head);
  return {
    ok: problem === null,
    records: verifier.checked,
    brokenAt: problem?.seq ?? null,
    reason: problem === null ? null : reasonOf(problem),
    flaggedSources: [...flagged].sort(),
  };
}

function reasonOf({ kind, seq }: ChainProblem): string {
  switch (kind) {
    case 'missing':
      return `record ${seq} is missing`;
    case 'edited':
      return `record ${seq} is not what was written: it, or one before it, was changed`;
    case 'index':
      return `what record ${seq} is searched by says something else than the record`;
    case 'head':
      return `the chain ends elsewhere than its head says: records from ${seq} on are missing, or were added`;
  }
}
