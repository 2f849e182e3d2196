import type { ApprovalAnswer } from '@wrongstack/contracts';
import {
  answerOfLine,
  confirmStep,
  openConfirm,
  REST_MS,
  type ConfirmRules,
  type ConfirmState,
} from './confirm.js';
import type { InputEvent } from './key.js';

const STANDARD: ConfirmRules = { destructive: false, trustOffered: true };
const DESTRUCTIVE: ConfirmRules = { destructive: true, trustOffered: false };

const char = (text: string): InputEvent => ({ kind: 'char', text });
const key = (name: string, ctrl = false): InputEvent => ({
  kind: 'key',
  name,
  ctrl,
  meta: false,
  shift: false,
});
const burst = (text: string): InputEvent => ({ kind: 'text', text, pasted: false });
const paste = (text: string): InputEvent => ({ kind: 'text', text, pasted: true });

/** A question on screen, driven key by key; `passed` is what went to the draft. */
class Asked {
  state: ConfirmState = openConfirm(0);
  readonly passed: InputEvent[] = [];
  private now = 0;

  constructor(
    private readonly rules: ConfirmRules,
    bodyRows = 3,
    windowRows = 10,
  ) {
    this.state = confirmStep(this.state, { type: 'layout', bodyRows, windowRows }, rules).state;
  }

  rest(): this {
    this.now += REST_MS;
    this.state = confirmStep(this.state, { type: 'tick', at: this.now }, this.rules).state;
    return this;
  }

  /** Keys of a hand that types: 80 ms apart. */
  press(...inputs: InputEvent[]): this {
    for (const input of inputs) {
      this.now += 80;
      const step = confirmStep(this.state, { type: 'input', input, at: this.now }, this.rules);
      this.state = step.state;
      if (step.passed !== null) this.passed.push(step.passed);
    }
    return this;
  }

  type(text: string): this {
    return this.press(...Array.from(text, char));
  }

  get answer(): ApprovalAnswer | null {
    return this.state.phase.kind === 'answered' ? this.state.phase.answer : null;
  }
}

describe('before the keyboard has rested', () => {
  it('takes typing for what it is: text for the prompt', () => {
    const asked = new Asked(STANDARD).type('yes any 1');
    expect(asked.answer).toBeNull();
    expect(asked.passed).toEqual(Array.from('yes any 1', char));
  });

  it('does not count Enter', () => {
    expect(new Asked(STANDARD).press(key('return')).answer).toBeNull();
  });

  it('opens 500 ms after the last key, not after the first', () => {
    const asked = new Asked(STANDARD).type('ab');
    expect(asked.state.phase).toEqual({ kind: 'resting', since: 160 });
    expect(asked.rest().state.phase.kind).toBe('open');
  });

  it('lets the person out', () => {
    expect(new Asked(STANDARD).press(key('escape')).answer).toEqual({ kind: 'no' });
  });
});

describe('an open question', () => {
  it.each([
    ['y', { kind: 'once' }],
    ['n', { kind: 'no' }],
    ['a', { kind: 'always' }],
    ['v', { kind: 'never' }],
  ] as const)('takes the single key %s', (letter, answer) => {
    expect(new Asked(STANDARD).rest().type(letter).answer).toEqual(answer);
  });

  it('has nothing preselected: Enter, Tab and space do nothing', () => {
    const asked = new Asked(STANDARD).rest().press(key('return'), key('tab'), key('return'));
    expect(asked.answer).toBeNull();
    expect(asked.passed).toEqual([]);
  });

  it.each(['0', '1', '2', '9', 'Y', 'A', ' ', 'ｙ', 'j'])('does not take %j for an answer', (letter) => {
    const asked = new Asked(STANDARD).rest().type(letter);
    expect(asked.answer).toBeNull();
    expect(asked.passed).toEqual([char(letter)]);
  });

  it('rests again when somebody starts to write, so that the next letters do not answer it', () => {
    const asked = new Asked(STANDARD).rest().type('key day 1');
    expect(asked.answer).toBeNull();
    expect(asked.passed).toHaveLength(9);
  });

  it.each([
    ['a paste', paste('y')],
    ['a paste with Enter', paste('yes\n')],
    ['several characters of one read', burst('yes')],
    ['a read that ends a line', burst('y\n')],
  ])('does not take %s for an answer', (_name, input) => {
    const asked = new Asked(STANDARD).rest().press(input);
    expect(asked.answer).toBeNull();
    expect(asked.passed).toEqual([input]);
  });

  it('does not take keys with Ctrl or Alt for answers', () => {
    const alt: InputEvent = { kind: 'key', name: 'y', ctrl: false, meta: true, shift: false };
    expect(new Asked(STANDARD).rest().press(key('y', true), alt).answer).toBeNull();
  });

  it('offers always and never only where a grant would work', () => {
    const asked = new Asked({ destructive: false, trustOffered: false }).rest().type('a');
    expect(asked.answer).toBeNull();
    expect(asked.rest().type('v').answer).toBeNull();
  });

  it('says no with a reason', () => {
    const asked = new Asked(STANDARD)
      .rest()
      .type('e')
      .type('use ny')
      .press(key('backspace'), paste('pm\nplease'), key('return'));
    expect(asked.answer).toEqual({ kind: 'no', reason: 'use npm please' });
  });

  it('goes back from the reason with Esc and takes an empty one for a plain no', () => {
    const back = new Asked(STANDARD).rest().type('ex').press(key('escape'));
    expect(back.state.phase.kind).toBe('open');
    expect(new Asked(STANDARD).rest().type('e').press(key('return')).answer).toEqual({ kind: 'no' });
  });

  it('interrupts the run with Ctrl-C', () => {
    const { phase } = new Asked(STANDARD).rest().press(key('c', true)).state;
    expect(phase).toEqual({ kind: 'answered', answer: { kind: 'no' }, interrupt: true });
  });
});

describe('a destructive question', () => {
  it('wants the word and Enter', () => {
    const asked = new Asked(DESTRUCTIVE).rest().type('yes');
    expect(asked.answer).toBeNull();
    expect(asked.press(key('return')).answer).toEqual({ kind: 'once' });
  });

  it.each(['y', 'ye'])('does not take %s and Enter', (word) => {
    const asked = new Asked(DESTRUCTIVE).rest().type(word).press(key('return'));
    expect(asked.answer).toBeNull();
    expect(asked.state.phase).toEqual({ kind: 'open', typed: word, hint: 'type-yes' });
  });

  it('forgets the word when other text comes between', () => {
    const asked = new Asked(DESTRUCTIVE).rest().type('ye').type('x').type('yes').press(key('return'));
    expect(asked.answer).toBeNull();
  });

  it('does not take the word from a paste, not even its end', () => {
    const asked = new Asked(DESTRUCTIVE).rest().type('ye').press(paste('s'), key('return'));
    expect(asked.answer).toBeNull();
  });

  it('takes n and e, and never a or v', () => {
    expect(new Asked(DESTRUCTIVE).rest().type('n').answer).toEqual({ kind: 'no' });
    expect(new Asked(DESTRUCTIVE).rest().type('e').state.phase.kind).toBe('reason');
    expect(new Asked({ destructive: true, trustOffered: true }).rest().type('a').answer).toBeNull();
  });
});

describe('a command that is longer than the window', () => {
  it('is not run before its end was on screen', () => {
    const asked = new Asked(STANDARD, 30, 10).rest().type('y');
    expect(asked.answer).toBeNull();
    expect(asked.state.phase).toEqual({ kind: 'open', typed: '', hint: 'read-first' });
    asked.press(key('pagedown'), key('pagedown'), key('down'), key('down')).type('y');
    expect(asked.answer).toEqual({ kind: 'once' });
  });

  it('holds back always and the destructive yes in the same way, but never a no', () => {
    expect(new Asked(STANDARD, 30, 10).rest().type('a').answer).toBeNull();
    expect(new Asked(DESTRUCTIVE, 30, 10).rest().type('yes').press(key('return')).answer).toBeNull();
    expect(new Asked(STANDARD, 30, 10).rest().type('n').answer).toEqual({ kind: 'no' });
  });

  it('does not count as read while the question was not open', () => {
    const asked = new Asked(STANDARD, 3, 10);
    expect(asked.state.seenEnd).toBe(false);
    expect(asked.rest().state.seenEnd).toBe(true);
  });

  it('scrolls within its rows', () => {
    const asked = new Asked(STANDARD, 30, 10).rest().press(key('up'));
    expect(asked.state.scroll).toBe(0);
    expect(asked.press(key('end'), key('down')).state.scroll).toBe(20);
    expect(asked.press(key('home')).state.scroll).toBe(0);
  });

  it('was never shown at all: there is no yes', () => {
    expect(new Asked(STANDARD, 0, 0).rest().type('y').answer).toBeNull();
  });
});

describe('a line in plain mode', () => {
  it.each([
    ['yes', STANDARD, { kind: 'once' }],
    [' Yes ', DESTRUCTIVE, { kind: 'once' }],
    ['y', STANDARD, { kind: 'once' }],
    ['always', STANDARD, { kind: 'always' }],
    ['never', STANDARD, { kind: 'never' }],
    ['no', DESTRUCTIVE, { kind: 'no' }],
    ['no, use npm ci', STANDARD, { kind: 'no', reason: 'use npm ci' }],
  ] as const)('%j is an answer', (text, rules, answer) => {
    expect(answerOfLine(text, rules)).toEqual(answer);
  });

  it.each([
    ['', STANDARD],
    ['1', STANDARD],
    ['yes please do', STANDARD],
    ['y', DESTRUCTIVE],
    ['always', DESTRUCTIVE],
    ['ok', STANDARD],
  ] as const)('%j is none', (text, rules) => {
    expect(answerOfLine(text, rules)).toBeNull();
  });
});
