import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { isHidden } from '@wrongstack/contracts/hidden-characters';
import { styleNonce } from '../../theme/nonce.js';
import type { CodeEditorProps } from './code-editor-props.js';
import { colours, editorTheme } from './editor-theme.js';

const LANGUAGES = { yaml, json } as const;
/** Beside what the editor marks by itself: whatever the rest of the console spells out. */
const HIDDEN = new RegExp(
  `[${Array.from({ length: 0x10000 }, (_, code) => code)
    .filter(
      (code) =>
        isHidden(code) && code !== 0x09 && code !== 0x0a && code !== 0x0d && (code < 0xd800 || code > 0xdfff),
    )
    .map((code) => `\\u{${code.toString(16)}}`)
    .join('')}]`,
  'gu',
);

/** Tab leaves the editor, as everywhere on a page: who has no pointer would be caught otherwise. */
const KEYS = [
  ...closeBracketsKeymap,
  ...defaultKeymap,
  ...historyKeymap,
  ...searchKeymap,
  ...foldKeymap,
  ...completionKeymap,
  ...lintKeymap,
];

function base(): Extension {
  return [
    EditorView.cspNonce.of(styleNonce()),
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightSpecialChars({ addSpecialChars: HIDDEN }),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    syntaxHighlighting(colours),
    editorTheme,
    EditorView.lineWrapping,
    keymap.of(KEYS),
  ];
}

/** Loaded when it is opened. Default export, since that is what `lazy` takes. */
export default function CodeMirror(props: CodeEditorProps) {
  const { label, language, value, onChange, readOnly = false, extensions = NONE } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  const own = useRef(new Compartment());
  useEffect(() => {
    changed.current = onChange;
  });
  useEffect(() => {
    if (host.current === null) return undefined;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          base(),
          LANGUAGES[language](),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorState.readOnly.of(readOnly),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current?.(update.state.doc.toString());
          }),
          own.current.of([...extensions]),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // Made once for each kind of editor; what changes later is given to it by the effects below.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [language, label, readOnly]);
  useEffect(() => {
    view.current?.dispatch({ effects: own.current.reconfigure([...extensions]) });
  }, [extensions]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={host} />;
}

const NONE: readonly Extension[] = [];
