import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours of the page, so that the editor follows its scheme. */
export const editorTheme = EditorView.theme({
  '&': {
    border: '1px solid var(--ws-line)',
    borderRadius: '8px',
    background: 'var(--ws-surface)',
    color: 'var(--ws-text)',
    fontSize: '0.86rem',
  },
  '&.cm-focused': { outline: '2px solid var(--ws-accent)' },
  '.cm-scroller': { fontFamily: 'var(--ws-mono)', lineHeight: '1.6', minHeight: '12rem' },
  '.cm-content': { caretColor: 'var(--ws-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--ws-text)' },
  '.cm-gutters': {
    background: 'var(--ws-sunken)',
    color: 'var(--ws-dim)',
    border: '0',
    borderRight: '1px solid var(--ws-line)',
    borderRadius: '8px 0 0 8px',
  },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--ws-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--ws-accent-soft)',
  },
  '.cm-specialChar': { color: 'var(--ws-deny)', background: 'var(--ws-deny-soft)' },
  '.cm-tooltip, .cm-panels': {
    background: 'var(--ws-surface)',
    color: 'var(--ws-text)',
    border: '1px solid var(--ws-line)',
    borderRadius: '8px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--ws-accent-soft)',
    color: 'var(--ws-accent)',
  },
});

export const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--ws-accent)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--ws-allow)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--ws-approve)' },
  { tag: [tags.comment], color: 'var(--ws-dim)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.meta], color: 'var(--ws-confirm)' },
]);
