import type { Extension } from '@codemirror/state';

export interface CodeEditorProps {
  readonly label: string;
  readonly language: 'yaml' | 'json';
  readonly value: string;
  readonly onChange?: (value: string) => void;
  readonly readOnly?: boolean;
  /** Completion, problems, keys: must keep its identity from one rendering to the next. */
  readonly extensions?: readonly Extension[];
}
