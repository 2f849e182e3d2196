import type { DecisionSource } from '@wrongstack/contracts';
import type { MergedLocks } from '../rules/merged-locks.js';
import type { CallView } from '../rules/match/call-view.js';
import { isPlainProjectRead } from './capabilities.js';
import { isCoveredAt, type Findings } from './findings.js';
import { ruleSource, YOLO } from './sources.js';
import type { TrustInForce } from './trust-match.js';

/**
 * What lowers the soft floors: allows and trust grants that together cover every pair of an effective capability and
 * a simple command that carries it, or YOLO. Null = nothing does.
 */
export function softGrant(
  view: CallView,
  findings: Findings,
  trust: TrustInForce,
  locks: MergedLocks,
): DecisionSource | null {
  return coveringGrant(view, findings, trust) ?? (isYolo(view, locks, trust) ? YOLO : null);
}

function coveringGrant(view: CallView, findings: Findings, trust: TrustInForce): DecisionSource | null {
  let used: DecisionSource | null = null;
  for (const capability of findings.capabilities) {
    const hits = findings.allows.filter((hit) => hit.capability === capability);
    for (const at of capability.carriers) {
      if (isPlainProjectRead(view.facts, capability, at)) continue;
      const covered = isCoveredAt(view, at, (index) => {
        const hit = hits.find((candidate) => candidate.at.includes(index));
        const source = hit === undefined ? trust.grantOnCommand(index) : ruleSource(hit.rule);
        if (source !== null) used ??= source;
        return source !== null;
      });
      if (!covered) return null;
    }
  }
  return used;
}

/** A corrupt trust file hides denials that the person once gave, so nothing is waved through until it is repaired. */
export function isYolo(view: CallView, locks: MergedLocks, trust: TrustInForce): boolean {
  const { session } = view.facts;
  if (!session.yolo || trust.corrupt) return false;
  switch (locks.yolo) {
    case 'on':
      return true;
    case 'in-sandbox':
      return session.sandboxed;
    case 'off':
      return false;
  }
}
