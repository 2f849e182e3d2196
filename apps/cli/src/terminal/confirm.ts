import type { ApprovalAnswer } from '@wrongstack/contracts';
import { isCtrl, isKey, type InputEvent } from './key.js';

/**
 * The question as a state machine: (state, event) → state. Pure, so that every way of *not* having said yes can be tested.
 *
 * It opens only after the keyboard has rested, an answer is one key of its own, nothing is preselected, and text that
 * was typed or pasted for the prompt goes there. A destructive call wants the word `yes` and Enter.
 */
export const REST_MS = 500;

export interface ConfirmRules {
  readonly destructive: boolean;
  readonly trustOffered: boolean;
}

export type ConfirmPhase =
  /** Keys still go to the draft. */
  | { readonly kind: 'resting'; readonly since: number }
  /** `typed`: the beginning of `yes`. */
  | { readonly kind: 'open'; readonly typed: string; readonly hint: 'read-first' | 'type-yes' | null }
  | { readonly kind: 'reason'; readonly text: string }
  | { readonly kind: 'answered'; readonly answer: ApprovalAnswer; readonly interrupt: boolean };

export interface ConfirmState {
  readonly phase: ConfirmPhase;
  readonly scroll: number;
  /** The last row of the body was on screen. */
  readonly seenEnd: boolean;
  readonly bodyRows: number;
  readonly windowRows: number;
}

export type ConfirmEvent =
  | { readonly type: 'input'; readonly input: InputEvent; readonly at: number }
  | { readonly type: 'tick'; readonly at: number }
  | { readonly type: 'layout'; readonly bodyRows: number; readonly windowRows: number };

export interface ConfirmStep {
  readonly state: ConfirmState;
  /** Input that was not for the question: the draft takes it. */
  readonly passed: InputEvent | null;
}

/** `lastInputAt`: when the keyboard was last used, before the question came up. */
export function openConfirm(lastInputAt: number): ConfirmState {
  const phase: ConfirmPhase = { kind: 'resting', since: lastInputAt };
  return { phase, scroll: 0, seenEnd: false, bodyRows: 0, windowRows: 0 };
}

export function confirmStep(state: ConfirmState, event: ConfirmEvent, rules: ConfirmRules): ConfirmStep {
  switch (event.type) {
    case 'layout':
      return keep(withWindow({ ...state, bodyRows: event.bodyRows, windowRows: event.windowRows }));
    case 'tick':
      return keep(rested(state, event.at) ? withWindow({ ...state, phase: OPEN }) : state);
    case 'input':
      return onInput(rested(state, event.at) ? withWindow({ ...state, phase: OPEN }) : state, event, rules);
  }
}

const OPEN: ConfirmPhase = { kind: 'open', typed: '', hint: null };

function rested(state: ConfirmState, now: number): boolean {
  return state.phase.kind === 'resting' && now - state.phase.since >= REST_MS;
}

function onInput(
  state: ConfirmState,
  event: { readonly input: InputEvent; readonly at: number },
  rules: ConfirmRules,
): ConfirmStep {
  const { input, at } = event;
  switch (state.phase.kind) {
    case 'answered':
      return { state, passed: input };
    case 'reason':
      return keep(onReason(state, state.phase.text, input));
    case 'resting':
      // Leaving is always possible; everything else is typing for the prompt.
      if (isDecline(input)) return keep(answered(state, { kind: 'no' }, isCtrl(input, 'c')));
      return { state: { ...state, phase: { kind: 'resting', since: at } }, passed: input };
    case 'open':
      return onOpen(state, state.phase.typed, input, at, rules);
  }
}

function onOpen(
  state: ConfirmState,
  typed: string,
  input: InputEvent,
  at: number,
  rules: ConfirmRules,
): ConfirmStep {
  if (isDecline(input)) return keep(answered(state, { kind: 'no' }, isCtrl(input, 'c')));
  const scrolled = scrollBy(input, state);
  if (scrolled !== null) return keep(withWindow({ ...state, scroll: scrolled }));
  if (input.kind === 'key') return keep(onOpenKey(state, typed, input, rules));
  const letter = input.kind === 'char' ? input.text : '';
  const next = rules.destructive ? onDestructiveLetter(state, typed, letter) : onLetter(state, letter, rules);
  // Not an answer: somebody is writing. The question rests again, so that the next letters cannot answer it either.
  return next === null
    ? { state: { ...state, phase: { kind: 'resting', since: at } }, passed: input }
    : keep(next);
}

function onOpenKey(
  state: ConfirmState,
  typed: string,
  input: Extract<InputEvent, { kind: 'key' }>,
  rules: ConfirmRules,
): ConfirmState {
  if (isKey(input, 'backspace')) return open(state, typed.slice(0, -1), null);
  if (!isKey(input, 'return') || !rules.destructive) return state;
  if (typed !== 'yes') return typed === '' ? state : open(state, typed, 'type-yes');
  return state.seenEnd ? answered(state, { kind: 'once' }, false) : open(state, typed, 'read-first');
}

function onLetter(state: ConfirmState, letter: string, rules: ConfirmRules): ConfirmState | null {
  switch (letter) {
    case 'y':
      return state.seenEnd ? answered(state, { kind: 'once' }, false) : open(state, '', 'read-first');
    case 'n':
      return answered(state, { kind: 'no' }, false);
    case 'e':
      return { ...state, phase: { kind: 'reason', text: '' } };
    case 'a':
      if (!rules.trustOffered) return null;
      return state.seenEnd ? answered(state, { kind: 'always' }, false) : open(state, '', 'read-first');
    case 'v':
      return rules.trustOffered ? answered(state, { kind: 'never' }, false) : null;
    default:
      return null;
  }
}

function onDestructiveLetter(state: ConfirmState, typed: string, letter: string): ConfirmState | null {
  const word = typed + letter;
  if (letter !== '' && 'yes'.startsWith(word)) return open(state, word, null);
  if (typed !== '') return null;
  if (letter === 'n') return answered(state, { kind: 'no' }, false);
  return letter === 'e' ? { ...state, phase: { kind: 'reason', text: '' } } : null;
}

function onReason(state: ConfirmState, text: string, input: InputEvent): ConfirmState {
  const write = (next: string): ConfirmState => ({ ...state, phase: { kind: 'reason', text: next } });
  if (isCtrl(input, 'c')) return answered(state, { kind: 'no' }, true);
  if (isKey(input, 'escape')) return open(state, '', null);
  if (isKey(input, 'backspace')) return write(Array.from(text).slice(0, -1).join(''));
  if (isCtrl(input, 'u')) return write('');
  if (isKey(input, 'return')) {
    const reason = text.trim();
    return answered(state, reason === '' ? { kind: 'no' } : { kind: 'no', reason }, false);
  }
  if (input.kind === 'key') return state;
  return write(text + input.text.replace(/\s*[\r\n]+\s*/g, ' '));
}

function isDecline(input: InputEvent): boolean {
  return isKey(input, 'escape') || isCtrl(input, 'c');
}

function scrollBy(input: InputEvent, state: ConfirmState): number | null {
  if (input.kind !== 'key' || input.ctrl || input.meta) return null;
  const page = Math.max(1, state.windowRows - 1);
  switch (input.name) {
    case 'down':
      return state.scroll + 1;
    case 'up':
      return state.scroll - 1;
    case 'pagedown':
      return state.scroll + page;
    case 'pageup':
      return state.scroll - page;
    case 'home':
      return 0;
    case 'end':
      return state.bodyRows;
    default:
      return null;
  }
}

// Rows count as seen only while the question is open: before that the person is busy with something else.
function withWindow(state: ConfirmState): ConfirmState {
  const last = Math.max(0, state.bodyRows - state.windowRows);
  const scroll = Math.min(Math.max(0, state.scroll), last);
  const visible = state.phase.kind !== 'resting' && state.bodyRows > 0 && scroll >= last;
  return { ...state, scroll, seenEnd: state.seenEnd || visible };
}

function open(state: ConfirmState, typed: string, hint: 'read-first' | 'type-yes' | null): ConfirmState {
  return withWindow({ ...state, phase: { kind: 'open', typed, hint } });
}

function answered(state: ConfirmState, answer: ApprovalAnswer, interrupt: boolean): ConfirmState {
  return { ...state, phase: { kind: 'answered', answer, interrupt } };
}

function keep(state: ConfirmState): ConfirmStep {
  return { state, passed: null };
}

/** Plain mode: one line of text is an answer or it is not. Null = not an answer. */
export function answerOfLine(text: string, rules: ConfirmRules): ApprovalAnswer | null {
  const trimmed = text.trim();
  const [word = '', ...rest] = trimmed.split(/[\s,:]+/);
  const reason = rest.join(' ');
  switch (word.toLowerCase()) {
    case 'yes':
      return reason === '' ? { kind: 'once' } : null;
    case 'y':
      return reason === '' && !rules.destructive ? { kind: 'once' } : null;
    case 'no':
    case 'n':
      return reason === '' ? { kind: 'no' } : { kind: 'no', reason };
    case 'always':
      return rules.trustOffered && reason === '' ? { kind: 'always' } : null;
    case 'never':
      return rules.trustOffered && reason === '' ? { kind: 'never' } : null;
    default:
      return null;
  }
}
