import {
  canonicalJson,
  type Disposer,
  type HookDemand,
  messageOf,
  type PostExecuteHook,
  type PreExecuteHook,
  type PreExecuteOutcome,
  type ToolHookCall,
  type ToolResult,
} from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { withDeadline } from './with-deadline.js';

export interface HookOptions {
  readonly owner: string;
  /** Milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
}

export interface PreExecuteResult {
  readonly demands: readonly HookDemand[];
  /** Set when a hook rewrote the input: it starts again from validation. */
  readonly rewritten: { readonly input: unknown; readonly by: string } | undefined;
}

interface Registered<Hook> {
  readonly hook: Hook;
  readonly owner: string;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * The two seams of the executor. `tools/pre-execute` may only tighten, and fails closed: a hook that throws, runs out of
 * time or answers nonsense denies the call. `tools/post-execute` inspects or replaces the raw result before scrubbing.
 */
export class ToolHooks {
  #pre: readonly Registered<PreExecuteHook>[] = [];
  #post: readonly Registered<PostExecuteHook>[] = [];

  preExecute(hook: PreExecuteHook, options: HookOptions): Disposer {
    const entry = registered(hook, options);
    this.#pre = [...this.#pre, entry];
    return once(() => {
      this.#pre = this.#pre.filter((one) => one !== entry);
    });
  }

  postExecute(hook: PostExecuteHook, options: HookOptions): Disposer {
    const entry = registered(hook, options);
    this.#post = [...this.#post, entry];
    return once(() => {
      this.#post = this.#post.filter((one) => one !== entry);
    });
  }

  list(): readonly { readonly seam: 'tools/pre-execute' | 'tools/post-execute'; readonly owner: string }[] {
    return [
      ...this.#pre.map(({ owner }) => ({ seam: 'tools/pre-execute' as const, owner })),
      ...this.#post.map(({ owner }) => ({ seam: 'tools/post-execute' as const, owner })),
    ];
  }

  async runPreExecute(call: ToolHookCall, signal: AbortSignal): Promise<PreExecuteResult> {
    const demands: HookDemand[] = [];
    for (const { hook, owner, timeoutMs } of this.#pre) {
      let outcome: PreExecuteOutcome;
      try {
        outcome = await withDeadline(`the ${owner} hook`, timeoutMs, signal, (inner) =>
          hook(call, { signal: inner }),
        );
      } catch (error) {
        if (signal.aborted) throw error;
        demands.push({ owner, verdict: 'deny', reason: `hook of ${owner} failed: ${messageOf(error)}` });
        continue;
      }
      const answer = readOutcome(outcome, owner);
      if ('input' in answer) {
        // A hook that hands back what it got has changed nothing; starting again would never end.
        if (isSame(answer.input, call.input)) continue;
        return { demands, rewritten: { input: answer.input, by: owner } };
      }
      if (answer.demand !== undefined) demands.push(answer.demand);
    }
    return { demands, rewritten: undefined };
  }

  /** Throws what a hook threw: its result can no longer be trusted to be what it should be. */
  async runPostExecute(call: ToolHookCall, result: ToolResult, signal: AbortSignal): Promise<ToolResult> {
    let current = result;
    for (const { hook, owner, timeoutMs } of this.#post) {
      const replaced = await withDeadline(`the ${owner} hook`, timeoutMs, signal, (inner) =>
        hook(call, current, { signal: inner }),
      );
      current = replaced ?? current;
    }
    return current;
  }
}

/** Only the exact known answers count; anything else denies. */
function readOutcome(
  outcome: unknown,
  owner: string,
): { readonly demand: HookDemand | undefined } | { readonly input: unknown } {
  if (outcome === undefined || outcome === null) return { demand: undefined };
  if (typeof outcome === 'object' && 'input' in outcome && !('decision' in outcome))
    return { input: outcome.input };
  if (typeof outcome === 'object' && 'decision' in outcome && 'reason' in outcome) {
    const reason = typeof outcome.reason === 'string' ? outcome.reason : `hook of ${owner}`;
    if (outcome.decision === 'ask') return { demand: { owner, verdict: 'confirm', reason } };
    if (outcome.decision === 'deny') return { demand: { owner, verdict: 'deny', reason } };
  }
  return {
    demand: {
      owner,
      verdict: 'deny',
      reason: `hook of ${owner} gave an answer that is none of deny, ask, input`,
    },
  };
}

function isSame(a: unknown, b: unknown): boolean {
  try {
    return canonicalJson(a) === canonicalJson(b);
  } catch {
    // What cannot be written as JSON is not what a model asked for.
    return false;
  }
}

function registered<Hook>(hook: Hook, options: HookOptions): Registered<Hook> {
  return { hook, owner: options.owner, timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS };
}
