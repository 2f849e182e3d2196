import type { ApprovalRequest, FloorRecord } from '@wrongstack/contracts';
import { spelledOut } from '../tools/untrusted-text.js';

/**
 * A question as text, for a host without a terminal of its own: what stands, and the whole input, so that nothing that would run or be
 * written is left out.
 */
export function plainQuestion({ call, decision }: ApprovalRequest): string {
  const { facts, floors } = decision;
  const risk = facts.callRisk === 'destructive' ? 'DESTRUCTIVE' : facts.callRisk;
  const { command } = facts;
  return [
    `${call.tool.name} asks · ${risk}`,
    ...(command === null || command === 'unknown' ? [] : [command.text]),
    ...floors.filter(({ loweredBy }) => loweredBy === null).map(whyText),
    `input ${JSON.stringify(call.input, null, 2)}`,
  ]
    .map(spelledOut)
    .join('\n');
}

function whyText({ reason, source: { kind, id, document } }: FloorRecord): string {
  return kind === 'rule' ? `why: rule ${id} (${document ?? 'local'}): ${reason}` : `why: ${reason}`;
}
