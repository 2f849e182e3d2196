import { completionTarget, matching } from './completion.js';
import { draftOf } from './draft.js';
import { editorOf, editorStep, withFiles, type EditorEffect, type EditorState } from './editor.js';
import { editorView } from './editor-view.js';
import { historyOf } from './history.js';
import { KeySource } from './key-source.js';
import type { InputEvent } from './key.js';
import { lineText } from './lines.js';
import { lookFor, texts } from './testing/fixtures.js';

const COMMANDS = ['compact', 'config', 'mode', 'model', 'policy', 'quit'].map((value) => ({
  value,
  description: `does ${value}`,
}));

/** The prompt, fed with what a terminal sends. */
class Prompt {
  state: EditorState;
  readonly effects: EditorEffect[] = [];
  private readonly keys = new KeySource((event) => this.apply(event));

  constructor(history: readonly string[] = []) {
    this.state = editorOf(historyOf(history));
  }

  /** One read for each argument. */
  send(...reads: string[]): this {
    for (const read of reads) this.keys.feed(Buffer.from(read));
    return this;
  }

  type(text: string): this {
    return this.send(...Array.from(text));
  }

  get text(): string {
    return this.state.draft.text;
  }

  get submitted(): string[] {
    return this.effects.flatMap((effect) => (effect.kind === 'submit' ? [effect.text] : []));
  }

  private apply(event: InputEvent): void {
    const step = editorStep(this.state, event, COMMANDS);
    this.state = step.state;
    this.effects.push(...step.effects);
  }
}

const ENTER = '\r';
const CTRL_J = '\n';
const ALT_ENTER = '\x1b\r';
const UP = '\x1b[A';
const DOWN = '\x1b[B';
const LEFT = '\x1b[D';
const TAB = '\t';
const BACKSPACE = '\x7f';

describe('the prompt', () => {
  it('sends with Enter and is empty after', () => {
    const prompt = new Prompt().type('fix it').send(ENTER);
    expect(prompt.submitted).toEqual(['fix it']);
    expect(prompt.text).toBe('');
  });

  it.each([
    ['Ctrl-J', CTRL_J],
    ['Alt-Enter', ALT_ENTER],
  ])('makes a new line with %s', (_name, key) => {
    expect(new Prompt().type('a').send(key).type('b').text).toBe('a\nb');
  });

  it('makes a new line with a backslash at the end, and not with an escaped one', () => {
    expect(new Prompt().type('a\\').send(ENTER).type('b').text).toBe('a\nb');
    expect(new Prompt().type('a\\\\').send(ENTER).submitted).toEqual(['a\\\\']);
  });

  it('sends nothing when there is nothing', () => {
    expect(new Prompt().type('  ').send(ENTER).submitted).toEqual([]);
  });

  it('takes a paste as text, its line ends and Enter included', () => {
    const prompt = new Prompt().send('\x1b[200~a\r\nb\rc\n\x1b[201~');
    expect(prompt.text).toBe('a\nb\nc\n');
    expect(prompt.submitted).toEqual([]);
  });

  it('joins a paste that arrives in several reads', () => {
    expect(new Prompt().send('\x1b[200~one ', 'two\r', 'three\x1b[201~').text).toBe('one two\nthree');
  });

  it('keeps what was typed ahead, and sends it with the Enter at its end', () => {
    const prompt = new Prompt().send('fix it\r');
    expect(prompt.submitted).toEqual(['fix it']);
  });

  it('edits by grapheme', () => {
    const prompt = new Prompt().send('a👩‍💻b').send(LEFT, BACKSPACE);
    expect(prompt.text).toBe('ab');
    expect(prompt.type('日').send(LEFT).state.draft.cursor).toBe(1);
  });

  it('moves and deletes by word and line', () => {
    const prompt = new Prompt().type('one two').send('\x17').type('three').send('\x01').type('0 ');
    expect(prompt.text).toBe('0 one three');
    expect(prompt.send('\x0b').text).toBe('0 ');
    expect(prompt.send('\x15').text).toBe('');
  });

  it('asks the session for what it cannot do itself', () => {
    const prompt = new Prompt().send('\x0f', '\x02', '\x07', '\x1b[Z', '?', '\x04', '\x03');
    expect(prompt.effects.map(({ kind }) => kind)).toEqual([
      'expand',
      'background',
      'external',
      'mode',
      'help',
      'quit',
      'interrupt',
    ]);
  });

  it('deletes forward with Ctrl-D while there is text, and writes a ? in it', () => {
    const prompt = new Prompt().type('why?').send('\x01', '\x04');
    expect(prompt.text).toBe('hy?');
    expect(prompt.effects).toEqual([]);
  });
});

describe('history', () => {
  it('goes back and forth and gives the draft back', () => {
    const prompt = new Prompt(['first', 'second']).type('draft').send(UP);
    expect(prompt.text).toBe('second');
    expect(prompt.send(UP, UP).text).toBe('first');
    expect(prompt.send(DOWN, DOWN).text).toBe('draft');
  });

  it('moves within several lines first', () => {
    const prompt = new Prompt(['old']).type('a').send(CTRL_J).type('b').send(UP);
    expect(prompt.text).toBe('a\nb');
    expect(prompt.send(UP).text).toBe('old');
  });

  it('is searched with Ctrl-R, newest first', () => {
    const prompt = new Prompt(['fix add', 'run tests', 'fix sub']).send('\x12').type('fix');
    expect(prompt.state.search?.found?.text).toBe('fix sub');
    expect(prompt.send('\x12').state.search?.found?.text).toBe('fix add');
    expect(prompt.send(ENTER).text).toBe('fix add');
    expect(prompt.submitted).toEqual([]);
  });
});

describe('menus', () => {
  it('offer prefixes first, then starts of words, and nothing fuzzy', () => {
    const names = ['model', 'update-model', 'remodel', 'mode'].map((value) => ({ value }));
    expect(matching(names, 'mod').map(({ value }) => value)).toEqual(['model', 'mode', 'update-model']);
  });

  it('complete a command with Tab and run it with Enter', () => {
    expect(new Prompt().type('/po').send(TAB).text).toBe('/policy ');
    expect(new Prompt().type('/po').send(ENTER).submitted).toEqual(['/policy']);
    expect(new Prompt().type('/mo').send(DOWN, ENTER).submitted).toEqual(['/model']);
  });

  it('close with Esc and leave the text', () => {
    const prompt = new Prompt().type('/po');
    const step = editorStep(
      prompt.state,
      { kind: 'key', name: 'escape', ctrl: false, meta: false, shift: false },
      COMMANDS,
    );
    expect(step.state.menu).toBeNull();
    expect(step.effects).toEqual([]);
    expect(step.state.draft.text).toBe('/po');
  });

  it('ask for files after @ and put the chosen one into the message', () => {
    const prompt = new Prompt().type('see @sr');
    expect(prompt.effects.at(-1)).toEqual({ kind: 'files', prefix: 'sr' });
    prompt.state = withFiles(prompt.state, 'sr', ['docs/src.md', 'src/calc.ts']);
    expect(prompt.send(TAB).text).toBe('see @src/calc.ts ');
  });

  it('ignore files for a prefix that is no longer there', () => {
    const prompt = new Prompt().type('see @sr');
    prompt.send(BACKSPACE);
    expect(withFiles(prompt.state, 'sr', ['src/calc.ts']).menu?.rows).toEqual([]);
  });

  it('do not open inside a word or an address', () => {
    expect(completionTarget(draftOf('mail me@example'))).toBeNull();
    expect(completionTarget(draftOf('see /mo'))).toBeNull();
  });
});

describe('the prompt on screen', () => {
  it('wraps by width and puts the cursor where the next character comes', () => {
    const prompt = new Prompt().send('日本語日本語日本語日本語');
    const view = editorView(prompt.state, lookFor({ columns: 21 }), 5);
    expect(texts(view.lines)).toEqual(['> 日本語日本語日本語', '  日本語']);
    expect(view.cursor).toEqual({ row: 1, column: 8 });
  });

  it('shows the rows around the cursor of a long draft', () => {
    const prompt = new Prompt().send('\x1b[200~1\n2\n3\n4\n5\x1b[201~');
    const view = editorView(prompt.state, lookFor(), 3);
    expect(texts(view.lines)).toEqual(['  3', '  4', '  5']);
    expect(view.cursor).toEqual({ row: 2, column: 3 });
  });

  it('shows a menu of at most eight rows', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ value: `m${index}` }));
    const step = editorStep(editorOf(historyOf([])), { kind: 'char', text: '/' }, many);
    const { lines } = editorView(step.state, lookFor(), 3);
    expect(lines).toHaveLength(1 + 8 + 1);
    expect(lineText(lines.at(-1) ?? [])).toBe('  ⋯ 12 more');
  });

  it('shows what a paste hides', () => {
    const view = editorView(new Prompt().send('\x1b[200~a\u202eb\x1b[201~').state, lookFor(), 3);
    expect(texts(view.lines)).toEqual(['> a\\u202eb']);
  });
});
