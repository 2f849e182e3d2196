/** What can be done with a revision on its way. */
export type Step = 'approve' | 'reject' | 'advance' | 'everybody' | 'halt';

interface StepDialog {
  readonly title: string;
  readonly confirm: string;
  readonly danger: boolean;
  readonly reason: 'none' | 'optional' | 'required';
  readonly text: string;
  readonly done: string;
}

/** The last word before each. */
export const DIALOGS: Readonly<Record<Step, StepDialog>> = {
  approve: {
    title: 'Approve this revision',
    confirm: 'Approve',
    danger: false,
    reason: 'optional',
    text: 'It comes into force as its author asked for, under both your names.',
    done: 'approved',
  },
  reject: {
    title: 'Reject this revision',
    confirm: 'Reject',
    danger: true,
    reason: 'required',
    text: 'It never comes into force. Its author reads why.',
    done: 'rejected',
  },
  advance: {
    title: 'Take it further',
    confirm: 'Take it further',
    danger: false,
    reason: 'none',
    text: 'More agents get it with their next look, which is within seconds.',
    done: 'taken further',
  },
  everybody: {
    title: 'To everybody',
    confirm: 'To everybody',
    danger: false,
    reason: 'none',
    text: 'It is in force for all agents of its scope.',
    done: 'in force for everybody',
  },
  halt: {
    title: 'Halt this revision',
    confirm: 'Halt',
    danger: true,
    reason: 'required',
    text: 'It is taken back from everybody who has it; the revision before binds again.',
    done: 'halted',
  },
};
