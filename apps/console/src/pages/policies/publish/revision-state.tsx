import { Badge } from '../../../parts/verdict-badge.js';
import type { Revision } from '../policies.js';

const STATES = {
  awaiting: ['approve', 'clock', 'awaits review'],
  staged: ['confirm', 'clock', 'staged'],
  active: ['allow', 'check', 'in force'],
  superseded: ['quiet', 'back', 'superseded'],
  halted: ['deny', 'ban', 'halted'],
  rejected: ['deny', 'ban', 'rejected'],
} as const;

export function RevisionStateBadge({ state }: Pick<Revision, 'state'>) {
  const [tone, mark, word] = STATES[state];
  return (
    <Badge tone={tone} mark={mark}>
      {word}
    </Badge>
  );
}
