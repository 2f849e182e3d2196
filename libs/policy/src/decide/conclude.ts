import {
  VERDICTS,
  type DecisionSource,
  type Facts,
  type FloorRecord,
  type Verdict,
} from '@wrongstack/contracts';
import type { CompiledRule } from '../rules/compiled-rule.js';
import { TIERS } from '../rules/tiers.js';

/** The strictest demand and where it comes from. */
export interface Conclusion {
  readonly demanded: Verdict;
  readonly by: DecisionSource;
  readonly because: string;
}

const KINDS = ['hard', 'acknowledged', 'outside-read', 'soft'] as const;
/** Among equally strict floors a rule explains best: it has a reason that somebody wrote for people. */
const SOURCES = ['rule', 'hook', 'trust', 'tool', 'actor', 'state', 'floor', 'user'] as const;

/** The result is the strictest of all floors that nothing lowered. Nothing else ever loosens anything. */
export function conclude(
  floors: readonly FloorRecord[],
  facts: Facts,
  rules: readonly CompiledRule[],
): Conclusion {
  const standing = strictestOf(floors.filter((floor) => floor.loweredBy === null));
  if (standing !== null) return { demanded: standing.verdict, by: standing.source, because: standing.reason };
  const lowered = strictestOf(floors);
  if (lowered?.loweredBy == null) {
    return {
      demanded: 'allow',
      by: { kind: 'tool', id: facts.tool },
      because: `tool ${facts.tool} needs no confirmation`,
    };
  }
  return { demanded: 'allow', by: lowered.loweredBy, because: whyLowered(lowered.loweredBy, rules) };
}

function whyLowered(source: DecisionSource, rules: readonly CompiledRule[]): string {
  if (source.kind === 'trust') return 'you said always';
  if (source.kind === 'user') return 'YOLO is on';
  const rule = rules.find(
    ({ id, document, tier }) => id === source.id && document === source.document && tier === source.tier,
  );
  return rule?.rule.because ?? source.id;
}

function strictestOf(floors: readonly FloorRecord[]): FloorRecord | null {
  return floors.reduce<FloorRecord | null>(
    (best, floor) => (best === null || compare(floor, best) < 0 ? floor : best),
    null,
  );
}

/** Negative where `left` explains the result rather than `right`. Total, so that no order of rules shows. */
function compare(left: FloorRecord, right: FloorRecord): number {
  return (
    VERDICTS.indexOf(right.verdict) - VERDICTS.indexOf(left.verdict) ||
    KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind) ||
    SOURCES.indexOf(left.source.kind) - SOURCES.indexOf(right.source.kind) ||
    tierRank(left) - tierRank(right) ||
    compareText(left.source.document ?? '', right.source.document ?? '') ||
    compareText(left.source.id, right.source.id)
  );
}

function tierRank({ source }: FloorRecord): number {
  return source.tier === undefined ? 0 : TIERS.indexOf(source.tier);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
