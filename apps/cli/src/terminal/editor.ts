import {
  complete,
  completionTarget,
  matching,
  type CompletionTarget,
  type Suggestion,
} from './completion.js';
import * as edit from './draft.js';
import { newer, older, remember, searchBack, type History } from './history.js';
import { isCtrl, isKey, type InputEvent } from './key.js';

/** The prompt as a state machine. What it cannot do itself it asks for with an effect. */
export interface EditorState {
  readonly draft: edit.Draft;
  readonly history: History;
  readonly menu: Menu | null;
  readonly search: Search | null;
}

export interface Menu {
  readonly target: CompletionTarget;
  readonly rows: readonly Suggestion[];
  readonly selected: number;
}

export interface Search {
  readonly query: string;
  readonly found: { readonly index: number; readonly text: string } | null;
}

export type EditorEffect =
  | { readonly kind: 'submit'; readonly text: string }
  | { readonly kind: 'files'; readonly prefix: string }
  | {
      readonly kind: 'escape' | 'interrupt' | 'quit' | 'expand' | 'background' | 'external' | 'mode' | 'help';
    };

export interface EditorStep {
  readonly state: EditorState;
  readonly effects: readonly EditorEffect[];
}

export function editorOf(history: History): EditorState {
  return { draft: edit.EMPTY_DRAFT, history, menu: null, search: null };
}

export function editorStep(
  state: EditorState,
  input: InputEvent,
  commands: readonly Suggestion[],
): EditorStep {
  if (state.search !== null) return onSearch(state, state.search, input, commands);
  if (state.menu !== null) {
    const step = onMenu(state, state.menu, input, commands);
    if (step !== null) return step;
  }
  if (input.kind === 'key') return onKey(state, input, commands);
  if (input.kind === 'char' && input.text === '?' && state.draft.text === '')
    return effect(state, { kind: 'help' });
  return written(state, edit.insert(state.draft, input.text), commands);
}

function onKey(
  state: EditorState,
  key: Extract<InputEvent, { kind: 'key' }>,
  commands: readonly Suggestion[],
): EditorStep {
  if (key.ctrl) return onControl(state, key.name, commands);
  if (key.meta) return onMeta(state, key.name, commands);
  const { draft } = state;
  switch (key.name) {
    case 'return':
      return onEnter(state, commands);
    case 'enter':
      return written(state, edit.insert(draft, '\n'), commands);
    case 'backspace':
      return written(state, edit.deleteBack(draft), commands);
    case 'delete':
      return written(state, edit.deleteForward(draft), commands);
    case 'left':
      return moved(state, edit.moveLeft(draft));
    case 'right':
      return moved(state, edit.moveRight(draft));
    case 'home':
      return moved(state, edit.moveLineStart(draft));
    case 'end':
      return moved(state, edit.moveLineEnd(draft));
    case 'up':
      return onUp(state);
    case 'down':
      return onDown(state);
    case 'tab':
      return key.shift ? effect(state, { kind: 'mode' }) : refreshMenu(state, commands);
    case 'escape':
      return effect(state, { kind: 'escape' });
    default:
      return plain(state);
  }
}

function onControl(state: EditorState, name: string, commands: readonly Suggestion[]): EditorStep {
  const { draft } = state;
  switch (name) {
    case 'c':
      return effect(state, { kind: 'interrupt' });
    case 'd':
      return draft.text === ''
        ? effect(state, { kind: 'quit' })
        : written(state, edit.deleteForward(draft), commands);
    case 'o':
      return effect(state, { kind: 'expand' });
    case 'b':
      return effect(state, { kind: 'background' });
    case 'g':
      return effect(state, { kind: 'external' });
    case 'r':
      return plain({ ...state, menu: null, search: { query: '', found: null } });
    case 'j':
      return written(state, edit.insert(draft, '\n'), commands);
    case 'a':
      return moved(state, edit.moveLineStart(draft));
    case 'e':
      return moved(state, edit.moveLineEnd(draft));
    case 'u':
      return written(state, edit.deleteToLineStart(draft), commands);
    case 'k':
      return written(state, edit.deleteToLineEnd(draft), commands);
    case 'w':
      return written(state, edit.deleteWordBack(draft), commands);
    case 'left':
      return moved(state, edit.moveWordLeft(draft));
    case 'right':
      return moved(state, edit.moveWordRight(draft));
    default:
      return plain(state);
  }
}

function onMeta(state: EditorState, name: string, commands: readonly Suggestion[]): EditorStep {
  const { draft } = state;
  switch (name) {
    case 'return':
    case 'enter':
      return written(state, edit.insert(draft, '\n'), commands);
    case 'b':
    case 'left':
      return moved(state, edit.moveWordLeft(draft));
    case 'f':
    case 'right':
      return moved(state, edit.moveWordRight(draft));
    case 'backspace':
      return written(state, edit.deleteWordBack(draft), commands);
    default:
      return plain(state);
  }
}

function onEnter(state: EditorState, commands: readonly Suggestion[]): EditorStep {
  const { draft } = state;
  // A backslash right before the cursor at the end of the draft asks for a new line instead.
  if (draft.cursor === draft.text.length && /(?:^|[^\\])(?:\\\\)*\\$/.test(draft.text)) {
    return written(state, edit.insert(edit.deleteBack(draft), '\n'), commands);
  }
  const text = draft.text.trim();
  if (text === '') return plain(state);
  const next = { ...state, draft: edit.EMPTY_DRAFT, history: remember(state.history, text), menu: null };
  return { state: next, effects: [{ kind: 'submit', text }] };
}

function onUp(state: EditorState): EditorStep {
  const up = edit.moveUp(state.draft);
  if (up !== null) return moved(state, up);
  const step = older(state.history, state.draft.text);
  return step === null ? plain(state) : fromHistory(state, step);
}

function onDown(state: EditorState): EditorStep {
  const down = edit.moveDown(state.draft);
  if (down !== null) return moved(state, down);
  const step = newer(state.history);
  return step === null ? plain(state) : fromHistory(state, step);
}

function fromHistory(state: EditorState, step: { history: History; text: string }): EditorStep {
  return plain({ ...state, draft: edit.draftOf(step.text), history: step.history, menu: null });
}

function onSearch(
  state: EditorState,
  search: Search,
  input: InputEvent,
  commands: readonly Suggestion[],
): EditorStep {
  if (isCtrl(input, 'r')) {
    const found = searchBack(state.history, search.query, search.found?.index);
    return plain({ ...state, search: { query: search.query, found: found ?? search.found } });
  }
  if (isKey(input, 'backspace')) return searchFor(state, Array.from(search.query).slice(0, -1).join(''));
  if (input.kind !== 'key') return searchFor(state, search.query + input.text.replace(/[\r\n]+/g, ' '));
  const closed: EditorState = { ...state, search: null };
  if (isKey(input, 'escape') || isCtrl(input, 'c') || isCtrl(input, 'g')) return plain(closed);
  const taken = search.found === null ? closed : { ...closed, draft: edit.draftOf(search.found.text) };
  // Enter takes what was found into the prompt; sending it is a second Enter.
  return isKey(input, 'return') || isKey(input, 'tab') ? plain(taken) : editorStep(taken, input, commands);
}

function searchFor(state: EditorState, query: string): EditorStep {
  return plain({ ...state, search: { query, found: searchBack(state.history, query) } });
}

function onMenu(
  state: EditorState,
  menu: Menu,
  input: InputEvent,
  commands: readonly Suggestion[],
): EditorStep | null {
  const select = (selected: number): EditorStep => {
    const count = Math.max(1, menu.rows.length);
    return plain({ ...state, menu: { ...menu, selected: (selected + count) % count } });
  };
  if (isKey(input, 'escape')) return plain({ ...state, menu: null });
  if (menu.rows.length === 0) return null;
  if (isKey(input, 'up')) return select(menu.selected - 1);
  if (isKey(input, 'down')) return select(menu.selected + 1);
  const chosen = menu.rows[menu.selected];
  if (chosen === undefined) return null;
  if (input.kind === 'key' && input.name === 'tab' && !input.shift) {
    return written(state, complete(state.draft, menu.target, chosen.value), commands);
  }
  if (!isKey(input, 'return')) return null;
  if (chosen.value === menu.target.prefix) return null;
  const completed = complete(state.draft, menu.target, chosen.value);
  // A chosen command is run at once; a chosen file becomes part of the message.
  if (menu.target.kind === 'command') return onEnter({ ...state, draft: completed, menu: null }, commands);
  return written(state, completed, commands);
}

/** After a change: the menu follows what stands before the cursor. */
function written(state: EditorState, draft: edit.Draft, commands: readonly Suggestion[]): EditorStep {
  return refreshMenu(
    { ...state, draft, history: { ...state.history, at: state.history.entries.length } },
    commands,
  );
}

function refreshMenu(state: EditorState, commands: readonly Suggestion[]): EditorStep {
  const target = completionTarget(state.draft);
  if (target === null) return plain({ ...state, menu: null });
  if (target.kind === 'command') {
    const rows = matching(commands, target.prefix);
    return plain({ ...state, menu: rows.length === 0 ? null : { target, rows, selected: 0 } });
  }
  const rows = state.menu?.target.kind === 'file' ? matching(state.menu.rows, target.prefix) : [];
  return {
    state: { ...state, menu: { target, rows, selected: 0 } },
    effects: [{ kind: 'files', prefix: target.prefix }],
  };
}

/** Files that were found for `prefix`; ignored when the draft has moved on. */
export function withFiles(state: EditorState, prefix: string, files: readonly string[]): EditorState {
  const target = completionTarget(state.draft);
  if (state.menu === null || target?.kind !== 'file' || target.prefix !== prefix) return state;
  const rows = matching(
    files.map((value) => ({ value })),
    prefix,
  );
  return { ...state, menu: { target, rows, selected: 0 } };
}

export function withDraft(state: EditorState, text: string): EditorState {
  return { ...state, draft: edit.draftOf(text), menu: null, search: null };
}

function moved(state: EditorState, draft: edit.Draft): EditorStep {
  return plain({ ...state, draft, menu: null });
}

function plain(state: EditorState): EditorStep {
  return { state, effects: [] };
}

function effect(state: EditorState, one: EditorEffect): EditorStep {
  return { state, effects: [one] };
}
