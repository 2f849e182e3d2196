import { Badge } from '../../parts/verdict-badge.js';
import type { ExceptionState } from './exceptions.js';

const STATES = {
  pending: ['confirm', 'pause', 'waiting'],
  granted: ['allow', 'check', 'granted'],
  refused: ['deny', 'ban', 'refused'],
} as const;

export function ExceptionStateBadge({ state }: { readonly state: ExceptionState }) {
  const [tone, mark, word] = STATES[state];
  return (
    <Badge tone={tone} mark={mark}>
      {word}
    </Badge>
  );
}
