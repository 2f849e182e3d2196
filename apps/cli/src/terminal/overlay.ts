import type { Disposer } from '@wrongstack/contracts';
import { clipLine, line, span, wrapLine, type Line } from './lines.js';
import { isCtrl, isKey, type InputEvent } from './key.js';
import { messages } from './messages.js';
import type { Look } from './theme.js';

/** Something that takes the place above the prompt and the keys, until it is done. */
export interface Overlay {
  lines(look: Look): readonly Line[];
  /** Returns input that was not meant for it. */
  input(event: InputEvent, at: number): InputEvent | null;
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

/** A question with a few named answers. Nothing is preselected; Esc leaves it open. */
export class ChoiceOverlay<Word extends string> implements Overlay {
  private restSince: number;

  constructor(
    private readonly title: string,
    private readonly choices: readonly (Choice & { readonly word: Word })[],
    private readonly escapeText: string,
    openedAt: number,
    private readonly done: (word: Word | null) => void,
  ) {
    this.restSince = openedAt;
  }

  lines(look: Look): readonly Line[] {
    const widest = this.choices.reduce((most, choice) => Math.max(most, choice.word.length), 0);
    return [
      ...wrapLine(
        line(
          span(`${look.plain ? messages.labels.asks : look.marks.asks} `, 'asks'),
          span(this.title, 'strong'),
        ),
        look.columns,
        '  ',
      ),
      ...this.choices.flatMap((choice) =>
        wrapLine(
          line(
            '  ',
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

  input(event: InputEvent, at: number): InputEvent | null {
    if (isKey(event, 'escape') || isCtrl(event, 'c')) {
      this.done(null);
      return null;
    }
    const rested = at - this.restSince >= REST_MS;
    const choice = event.kind === 'char' ? this.choices.find(({ key }) => key === event.text) : undefined;
    if (rested && choice !== undefined) {
      this.done(choice.word);
      return null;
    }
    if (isKey(event, 'return')) return null;
    this.restSince = at;
    return event;
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

  input(event: InputEvent): InputEvent | null {
    const count = Math.max(1, this.values.length);
    if (isKey(event, 'up')) this.selected = (this.selected - 1 + count) % count;
    else if (isKey(event, 'down')) this.selected = (this.selected + 1) % count;
    else if (isKey(event, 'escape') || isCtrl(event, 'c')) this.done(null);
    else if (isKey(event, 'return')) this.done(this.values[this.selected] ?? null);
    else return event;
    return null;
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
