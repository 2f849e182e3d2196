import type { ContentBlock, InnerCallOutcome, InnerCalls } from '@wrongstack/contracts';
import { badInput, rawInput } from '../read-input.js';

/** One call to make for the model. */
export interface InnerCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** For cards: how each inner call ended. The calls have entries and cards of their own, so no payload is repeated here. */
export interface InnerCallMeta {
  readonly tool: string;
  readonly call: string | null;
  readonly status: InnerCallOutcome['status'] | 'skipped';
}

export function innerCallFrom(value: unknown, field: string): InnerCall {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badInput(field, 'must be an object with tool and input');
  }
  const { tool, input = {} } = rawInput(value);
  if (typeof tool !== 'string' || tool === '') throw badInput(field, 'must name a tool');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw badInput(field, `must have an object as input of ${tool}`);
  }
  return { tool, input: rawInput(input) };
}

export async function runInner(
  calls: InnerCalls,
  { tool, input }: InnerCall,
  signal: AbortSignal,
): Promise<InnerCallOutcome> {
  return calls.run(tool, input, signal);
}

export function metaOf({ tool, call, status }: InnerCallOutcome): InnerCallMeta {
  return { tool, call, status };
}

/** What the inner call gave; one that waits is not decided again on behalf of a tool, so the model has to ask for it. */
export function contentOf({ tool, status, result }: InnerCallOutcome): readonly ContentBlock[] {
  if (status !== 'parked') return result.content;
  const text = `When it is approved, call ${tool} directly.`;
  return [...result.content, { type: 'text', text }];
}

/** For presenters, which see whatever an old log holds. */
export function metasOf(meta: unknown): readonly InnerCallMeta[] {
  if (typeof meta !== 'object' || meta === null || !('inner' in meta) || !Array.isArray(meta.inner))
    return [];
  return meta.inner.flatMap((one: unknown): InnerCallMeta[] => {
    if (typeof one !== 'object' || one === null || !('tool' in one) || !('status' in one)) return [];
    const call = 'call' in one && typeof one.call === 'string' ? one.call : null;
    // Only shown, so any text will do for a status.
    return [{ tool: String(one.tool), call, status: String(one.status) as InnerCallMeta['status'] }];
  });
}
