import type { ToolResult } from '@wrongstack/contracts';

/** How the tool's own work ended. After an abort, `output` is what it still managed to return. */
export type Invocation =
  | { readonly kind: 'returned'; readonly output: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | {
      readonly kind: 'timeout' | 'aborted';
      readonly afterMs: number;
      readonly output: { readonly value: unknown } | null;
      readonly gaveUp: boolean;
    };

/** The same, as the model gets it. */
export interface ShapedResult {
  readonly status: 'ok' | 'failed' | 'timeout' | 'aborted';
  readonly result: ToolResult;
}
