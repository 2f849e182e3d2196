import type { Disposer } from '@wrongstack/contracts';
import { clipLine, line, lineWidth, span, wrapLine, type Line } from './lines.js';
import { isCtrl, isKey, type InputEvent } from './key.js';
import { messages } from './messages.js';
import type { Look } from './theme.js';

/** Something that takes the place above the prompt and the keys, until it is done. */
export interface Overlay {
  lines(look: Look): readonly Line[];
  /** Returns the input that was not meant for it, in order. `draftEmpty`: nothing stands in the prompt below. */
  input(event: InputEvent, at: number, draftEmpty: boolean): readonly InputEvent[];
  /** Plain mode: true when the line was an answer. */
  line(text: string): boolean;
}

export interface Choice {
  /** The answer key: a letter, never a digit. */
  readonly key: string;
  /** The same as a word, for plain mode. */
  readonly word: string;
  readonly text: string;
}

const REST_MS = 500;

/** Whether the letter alone answers, or the letter and then Enter. A question that nobody asked for must not take the first letter of a message for an answer. */
export type AnsweredBy = 'letter' | 'letter and Enter';

/** A question with a few named answers. Nothing is preselected; Esc leaves it open. */
export class ChoiceOverlay<Word extends string> implements Overlay {
  private restSince: number;
  /** A letter that becomes an answer with Enter, and the beginning of a message with anything else. */
  private held: { readonly event: InputEvent; readonly choice: Choice & { readonly word: Word } } | null =
    null;

  constructor(
    private readonly title: string,
    private readonly choices: readonly (Choice & { readonly word: Word })[],
    private readonly escapeText: string,
    openedAt: number,
    private readonly done: (word: Word | null) => void,
    private readonly answeredBy: AnsweredBy = 'letter',
  ) {
    this.restSince = openedAt;
  }

  lines(look: Look): readonly Line[] {
    const widest = this.choices.reduce((most, choice) => Math.max(most, choice.word.length), 0);
    const title = line(
      span(`${look.plain ? messages.labels.asks : look.marks.asks} `, 'asks'),
      span(this.title, 'strong'),
    );
    const row = this.oneRow(title, look);
    if (row !== null) return [row];
    return [
      ...wrapLine(title, look.columns, '  '),
      ...this.choices.flatMap((choice) =>
        wrapLine(
          line(
            span(this.held?.choice === choice ? '> ' : '  ', 'strong'),
            look.plain ? null : span(`${choice.key}  `, 'strong'),
            span(choice.word.padEnd(widest + 2), 'strong'),
            choice.text,
          ),
          look.columns,
          ' '.repeat(widest + (look.plain ? 4 : 7)),
        ),
      ),
      ...(look.plain ? [] : [line(span(`  Esc  ${this.escapeText}`, 'meta'))]),
    ];
  }

  /** `? 2 tasks stop with this session · k stop and quit · Esc stay`: a single answer needs no list, where it fits. */
  private oneRow(title: Line, look: Look): Line | null {
    const [only, ...others] = this.choices;
    if (only === undefined || others.length > 0 || this.held !== null) return null;
    const row = line(
      ...title,
      look.marks.dot,
      look.plain ? null : span(`${only.key} `, 'strong'),
      span(only.word, 'strong'),
      ` ${only.text}`,
      look.plain ? null : span(`${look.marks.dot}Esc ${this.escapeText}`, 'meta'),
    );
    return lineWidth(row) <= look.columns ? row : null;
  }

  input(event: InputEvent, at: number, draftEmpty: boolean): readonly InputEvent[] {
    const { held } = this;
    this.held = null;
    if (isKey(event, 'escape') || isCtrl(event, 'c')) return this.end(null);
    if (held !== null) {
      if (isKey(event, 'return')) return this.end(held.choice.word);
      this.restSince = at;
      return isKey(event, 'backspace') ? [] : [held.event, event];
    }
    const rested = at - this.restSince >= REST_MS;
    const choice = event.kind === 'char' ? this.choices.find(({ key }) => key === event.text) : undefined;
    if (rested && draftEmpty && choice !== undefined) {
      if (this.answeredBy === 'letter') return this.end(choice.word);
      this.held = { event, choice };
      return [];
    }
    if (isKey(event, 'return') && draftEmpty) return [];
    this.restSince = at;
    return [event];
  }

  private end(word: Word | null): readonly InputEvent[] {
    this.done(word);
    return [];
  }

  line(text: string): boolean {
    const word = text.trim().toLowerCase();
    const choice = this.choices.find((one) => one.word === word);
    if (choice === undefined) return false;
    this.done(choice.word);
    return true;
  }
}

const PICKER_ROWS = 8;

/** A list to pick one row of: arrows and Enter, or in plain mode the row's value. */
export class PickOverlay implements Overlay {
  private selected = 0;

  /** `rows`: a heading, then one line for each value. */
  constructor(
    private readonly values: readonly string[],
    private readonly rows: (look: Look) => readonly Line[],
    private readonly done: (value: string | null) => void,
  ) {}

  lines(look: Look): readonly Line[] {
    const [heading = [], ...rows] = this.rows(look);
    if (look.plain) return [heading, ...rows];
    const first = Math.min(
      Math.max(0, this.selected - PICKER_ROWS + 1),
      Math.max(0, rows.length - PICKER_ROWS),
    );
    const shown = rows.slice(first, first + PICKER_ROWS).map((row, index) => {
      const chosen = first + index === this.selected;
      return clipLine(line(span(chosen ? '> ' : '  ', 'strong'), ...row), look.columns, look.marks.ellipsis);
    });
    const more = rows.length - first - shown.length;
    return [
      clipLine(line('  ', ...heading), look.columns, look.marks.ellipsis),
      ...shown,
      ...(more > 0 ? [line(span(`  ${look.marks.more} ${messages.session.moreRows(more)}`, 'meta'))] : []),
    ];
  }

  input(event: InputEvent): readonly InputEvent[] {
    const count = Math.max(1, this.values.length);
    if (isKey(event, 'up')) this.selected = (this.selected - 1 + count) % count;
    else if (isKey(event, 'down')) this.selected = (this.selected + 1) % count;
    else if (isKey(event, 'escape') || isCtrl(event, 'c')) this.done(null);
    else if (isKey(event, 'return')) this.done(this.values[this.selected] ?? null);
    else return [event];
    return [];
  }

  line(text: string): boolean {
    const value = this.values.find((one) => one === text.trim());
    if (value === undefined) return false;
    this.done(value);
    return true;
  }
}

/** Shows one overlay after the other. */
export class OverlayStack {
  private readonly shown: Overlay[] = [];

  top(): Overlay | null {
    return this.shown.at(-1) ?? null;
  }

  push(overlay: Overlay): Disposer {
    this.shown.push(overlay);
    return () => {
      const index = this.shown.indexOf(overlay);
      if (index >= 0) this.shown.splice(index, 1);
    };
  }
}
