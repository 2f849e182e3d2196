import type { DecisionSource } from '@wrongstack/contracts';
import type { CallView } from '../../rules/match/call-view.js';
import { isSoft } from '../../rules/tiers.js';
import type { Findings } from '../findings.js';
import type { FloorList } from '../floor-list.js';
import { ruleSource } from '../sources.js';

/** What any grant lowers. */
export function softFloors(
  view: CallView,
  findings: Findings,
  floors: FloorList,
  grant: () => DecisionSource | null,
): void {
  const asking: { source: DecisionSource; reason: string }[] = [];
  const { facts } = view;
  const tool: DecisionSource = { kind: 'tool', id: facts.tool };
  if (facts.permission === 'confirm') {
    asking.push({ source: tool, reason: `tool ${facts.tool} needs confirmation` });
  } else if (facts.permission === 'unknown' && !isHarmlessCoreTool(view)) {
    asking.push({ source: tool, reason: `tool ${facts.tool} does not say whether it needs confirmation` });
  } else if (facts.mcp !== null) {
    asking.push({ source: tool, reason: `${facts.tool} is a tool of MCP server ${facts.mcp.server}` });
  }
  for (const rule of findings.restrictions) {
    if (isSoft(rule.tier)) asking.push({ source: ruleSource(rule), reason: rule.rule.because });
  }
  if (asking.length === 0) return;
  const loweredBy = grant();
  for (const { source, reason } of asking) floors.confirm('soft', source, reason, loweredBy);
}

function isHarmlessCoreTool({ facts }: CallView): boolean {
  return facts.owner === 'core' && !facts.mutating && facts.riskTier === 'safe';
}
