import type { PresentableResult, ToolCallView, ToolResultView } from '@wrongstack/contracts';
import { changeMeta, type FileChangeMeta } from './fs/file-change.js';

type CardKind = Extract<ToolCallView, { card: 'generic' }>['kind'];

interface Cards {
  readonly presentCall: (input: unknown) => ToolCallView;
  readonly presentResult: (input: unknown, result: PresentableResult) => ToolResultView;
}

/** Cards of a tool whose result is best shown as the model sees it, below a title that its input gives. */
export function titledCards(kind: NonNullable<CardKind>, titleOf: (input: unknown) => string): Cards {
  return {
    presentCall: (input) => ({ card: 'generic', kind, title: titleOf(input) }),
    presentResult: (input, { content }) => ({ card: 'generic', title: titleOf(input), content }),
  };
}

/** The completed card of a call that changes files: the diffs, or the words where nothing was changed. */
export function changeCard(
  title: string,
  { content, isError, meta }: PresentableResult,
  titleOf: (change: FileChangeMeta) => string = () => title,
): ToolResultView {
  const change = changeMeta(meta);
  if (isError || change === undefined) return { card: 'generic', title, content };
  return { card: 'diff', title: titleOf(change), diffs: change.diffs };
}
