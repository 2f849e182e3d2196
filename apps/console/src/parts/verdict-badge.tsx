import type { Verdict } from '@wrongstack/contracts';
import classes from './badge.module.css';

type Tone = 'allow' | 'confirm' | 'approve' | 'deny' | 'quiet';

/** A mark and a word: colour alone says nothing to many people. */
export function Badge({ tone, mark, children }: { tone: Tone; mark?: string; children: string }) {
  return (
    <span className={classes['badge']} data-tone={tone}>
      {mark === undefined ? null : <span aria-hidden="true">{mark}</span>}
      {children}
    </span>
  );
}

const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  allow: '✓',
  confirm: '?',
  approve: '⏸',
  deny: '⊘',
};

export function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  return (
    <Badge tone={verdict} mark={VERDICT_MARKS[verdict]}>
      {verdict}
    </Badge>
  );
}

type State = 'pending' | 'approved' | 'rejected' | 'expired' | 'withdrawn' | 'used';
const STATES: Readonly<Record<State, readonly [Tone, string]>> = {
  pending: ['approve', '⏸'],
  approved: ['allow', '✓'],
  used: ['allow', '✓'],
  rejected: ['deny', '✗'],
  expired: ['quiet', '⌛'],
  withdrawn: ['quiet', '↩'],
};

export function ApprovalStateBadge({ state }: { readonly state: State }) {
  const [tone, mark] = STATES[state];
  return (
    <Badge tone={tone} mark={mark}>
      {state === 'pending' ? 'waiting' : state}
    </Badge>
  );
}
