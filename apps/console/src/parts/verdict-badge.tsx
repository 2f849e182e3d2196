import type { Verdict } from '@wrongstack/contracts';
import { Icon, type IconName } from './icon.js';
import classes from './badge.module.css';

type Tone = 'allow' | 'confirm' | 'approve' | 'deny' | 'quiet';

/** A mark and a word: colour alone says nothing to many people. */
export function Badge({ tone, mark, children }: { tone: Tone; mark?: IconName; children: string }) {
  return (
    <span className={classes['badge']} data-tone={tone}>
      {mark === undefined ? null : <Icon name={mark} size={13} />}
      {children}
    </span>
  );
}

const VERDICT_MARKS: Readonly<Record<Verdict, IconName>> = {
  allow: 'check',
  confirm: 'question',
  approve: 'pause',
  deny: 'ban',
};

export function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  return (
    <Badge tone={verdict} mark={VERDICT_MARKS[verdict]}>
      {verdict}
    </Badge>
  );
}

type State = 'pending' | 'approved' | 'rejected' | 'expired' | 'withdrawn' | 'used';
const STATES: Readonly<Record<State, readonly [Tone, IconName]>> = {
  pending: ['approve', 'pause'],
  approved: ['allow', 'check'],
  used: ['allow', 'check'],
  rejected: ['deny', 'close'],
  expired: ['quiet', 'clock'],
  withdrawn: ['quiet', 'undo'],
};

export function ApprovalStateBadge({ state }: { readonly state: State }) {
  const [tone, mark] = STATES[state];
  return (
    <Badge tone={tone} mark={mark}>
      {state === 'pending' ? 'waiting' : state}
    </Badge>
  );
}
