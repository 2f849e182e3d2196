import type { PresentableResult, ToolCallView, ToolResultView } from '@wrongstack/contracts';

/** How calls and results look; the app binds it to the tools' own presenters. */
export interface CallViews {
  call(tool: string, input: unknown): ToolCallView;
  result(tool: string, input: unknown, result: PresentableResult): ToolResultView;
}

/** For tools without presenters, and for names that no tool has. */
export const genericViews: CallViews = {
  call: (tool, input) => ({ card: 'generic', title: titleOf(tool, input), rawInput: input }),
  result: (_tool, _input, result) => ({ card: 'generic', content: result.content }),
};

interface Presenting {
  readonly presentCall?: (input: unknown) => ToolCallView | undefined;
  readonly presentResult?: (input: unknown, result: PresentableResult) => ToolResultView | undefined;
}

/** Views by a look-up of tools. A presenter that throws costs its card, never the session. */
export function viewsOf(find: (tool: string) => Presenting | undefined): CallViews {
  return {
    call: (tool, input) => {
      try {
        return find(tool)?.presentCall?.(input) ?? genericViews.call(tool, input);
      } catch {
        return genericViews.call(tool, input);
      }
    },
    result: (tool, input, result) => {
      try {
        return find(tool)?.presentResult?.(input, result) ?? genericViews.result(tool, input, result);
      } catch {
        return genericViews.result(tool, input, result);
      }
    },
  };
}

function titleOf(tool: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return tool;
  const first = Object.values(input).find((value) => typeof value === 'string');
  return first ?? tool;
}

/** The text of a pending card that stands for the call in one-line places. */
export function subjectOf(view: ToolCallView): string {
  return view.title;
}
