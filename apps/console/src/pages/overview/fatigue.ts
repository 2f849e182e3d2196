import type { Overview } from './overview.js';

/** An answer at the keyboard, as command lines name it. */
const WORDS: Readonly<Record<string, string>> = {
  once: 'Yes, once',
  always: 'Yes, always',
  no: 'No',
  never: 'No, never',
  approved: 'Yes, by approvers',
  parked: 'Left to approvers',
  aborted: 'Interrupted',
};
const YES = ['once', 'always'];
const BY_HAND = [...YES, 'no', 'never'];
/** Fewer answers say nothing about habits. */
const FEW = 20;
const NEARLY_ALL = 0.9;

export function answerWord(answer: string): string {
  return Object.hasOwn(WORDS, answer) ? (WORDS[answer] ?? answer) : answer;
}

export interface Fatigue {
  /** How many of the answers that somebody typed. */
  readonly yes: number;
  readonly answered: number;
  /** So many of them are a yes that they are hardly read. */
  readonly tiring: boolean;
}

/** Whether people are asked so that they still read what they are asked. */
export function fatigueOf({ byAnswer }: Overview['prompts']): Fatigue {
  const sum = (answers: readonly string[]): number =>
    byAnswer.reduce((all, { answer, count }) => all + (answers.includes(answer) ? count : 0), 0);
  const [yes, answered] = [sum(YES), sum(BY_HAND)];
  return { yes, answered, tiring: answered >= FEW && yes / answered >= NEARLY_ALL };
}
