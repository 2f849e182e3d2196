import { canonicalJson } from '@wrongstack/contracts';
import type { ToolUseBlock } from '@wrongstack/contracts';

const NOTICED_AT = 3;
const STOPPED_AT = 6;

export type LoopState = 'none' | 'noticed' | 'stop';

/** Notices a model that repeats one failing call: first it is told, later the run stops. */
export class LoopDetection {
  readonly #failures = new Map<string, number>();

  /** How often this call has now failed in the same way of asking, and what follows from it. */
  record(
    use: ToolUseBlock,
    outcome: { readonly failed: boolean; readonly mutating: boolean },
  ): { readonly state: LoopState; readonly times: number } {
    const key = keyOf(use);
    if (!outcome.failed) {
      // After a change the same call may well end differently; then repeating it is no loop.
      if (outcome.mutating) this.#failures.clear();
      else this.#failures.delete(key);
      return { state: 'none', times: 0 };
    }
    const times = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, times);
    if (times >= STOPPED_AT) return { state: 'stop', times };
    return { state: times === NOTICED_AT ? 'noticed' : 'none', times };
  }
}

function keyOf(use: ToolUseBlock): string {
  try {
    return `${use.name} ${canonicalJson(use.input ?? null)}`;
  } catch {
    return `${use.name} (not JSON)`;
  }
}
