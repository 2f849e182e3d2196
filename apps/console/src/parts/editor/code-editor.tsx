import { lazy, Suspense } from 'react';
import { Loading } from '../loading.js';
import type { CodeEditorProps } from './code-editor-props.js';

const Editor = lazy(() => import('./code-mirror.js'));

/** A text with a language. The editor itself is loaded when the first one is opened. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading what="the editor" />}>
      <Editor {...props} />
    </Suspense>
  );
}
