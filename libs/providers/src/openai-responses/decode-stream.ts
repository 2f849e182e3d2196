import type {
  AssistantBlock,
  CallId,
  ModelEvent,
  ModelRequest,
  StopReason,
  Usage,
} from '@wrongstack/contracts';
import { NO_USAGE } from '@wrongstack/contracts';
import { codeOfStreamError } from '../http/response-errors.js';
import type { JsonObject } from '../json-fields.js';
import { countIn, isObject, listIn, objectIn, parseEvent, textIn } from '../json-fields.js';
import { CallIds, toolUse } from '../tool-calls.js';
import type { ServerSentEvent, StreamDecoder } from '../wire-format.js';
import { WireFailure, malformed } from '../wire-format.js';

type OpenItem =
  | { readonly kind: 'message'; text: string; refused: boolean }
  | { readonly kind: 'reasoning'; text: string; signature: string }
  | { readonly kind: 'call'; readonly id: CallId; readonly name: string; json: string; closed: boolean };

/** Reads the stream of a Responses response. Output items are kept by their index. */
export class ResponsesStreamDecoder implements StreamDecoder {
  private readonly items = new Map<number, OpenItem>();
  private readonly ids: CallIds;
  private readonly requested: string;

  constructor(request: ModelRequest) {
    this.ids = new CallIds(request);
    this.requested = request.model;
  }

  push({ data }: ServerSentEvent): readonly ModelEvent[] {
    if (data.trim() === '[DONE]') return [];
    const event = parseEvent(data);
    switch (textIn(event, 'type') ?? '') {
      case 'response.output_item.added':
        return this.open(indexOf(event), objectIn(event, 'item'));
      case 'response.output_item.done':
        return this.close(indexOf(event), objectIn(event, 'item'));
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.textDelta(event);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.reasoningDelta(event);
      case 'response.function_call_arguments.delta':
        this.argumentsDelta(event);
        return [];
      case 'response.completed':
      case 'response.incomplete':
        return [this.done(objectIn(event, 'response'))];
      case 'response.failed':
        throw reportedError(objectIn(objectIn(event, 'response'), 'error'));
      case 'error':
        throw reportedError(objectIn(event, 'error') ?? event);
      default:
        return [];
    }
  }

  end(): readonly ModelEvent[] {
    return [];
  }

  private open(index: number, item: JsonObject | undefined): readonly ModelEvent[] {
    if (this.items.has(index)) throw malformed(`output item ${index} begins twice`);
    switch (textIn(item, 'type') ?? '') {
      case 'message':
        this.items.set(index, { kind: 'message', text: '', refused: false });
        return [];
      case 'reasoning':
        this.items.set(index, { kind: 'reasoning', text: '', signature: '' });
        return [];
      case 'function_call': {
        const id = this.ids.claim(textIn(item, 'call_id'));
        const name = textIn(item, 'name') ?? '';
        this.items.set(index, { kind: 'call', id, name, json: '', closed: false });
        return [{ type: 'tool_use_start', id, name }];
      }
      default:
        return [];
    }
  }

  /** The finished item repeats what was streamed; its word counts, since some servers stream no argument deltas. */
  private close(index: number, item: JsonObject | undefined): readonly ModelEvent[] {
    const started = this.items.has(index) ? [] : this.open(index, item);
    const open = this.items.get(index);
    switch (open?.kind) {
      case 'call':
        open.json = textIn(item, 'arguments') ?? open.json;
        open.closed = textIn(item, 'status') !== 'incomplete';
        return started;
      case 'reasoning':
        open.signature = signatureOf(item);
        return started;
      case 'message':
        return [...started, ...this.missedText(open, item)];
      case undefined:
        return started;
    }
  }

  private missedText(
    open: Extract<OpenItem, { kind: 'message' }>,
    item: JsonObject | undefined,
  ): ModelEvent[] {
    if (open.text !== '') return [];
    const parts = listIn(item, 'content').filter(isObject);
    open.text = parts.map((part) => textIn(part, 'text') ?? textIn(part, 'refusal') ?? '').join('');
    return open.text === '' ? [] : [{ type: 'text_delta', text: open.text }];
  }

  private textDelta(event: JsonObject): readonly ModelEvent[] {
    const open = this.items.get(indexOf(event));
    const text = textIn(event, 'delta') ?? '';
    if (open?.kind !== 'message') throw malformed('text arrives outside of a message');
    if (text === '') return [];
    open.text += text;
    if (textIn(event, 'type') === 'response.refusal.delta') open.refused = true;
    return [{ type: 'text_delta', text }];
  }

  private reasoningDelta(event: JsonObject): readonly ModelEvent[] {
    const open = this.items.get(indexOf(event));
    const text = textIn(event, 'delta') ?? '';
    if (open?.kind !== 'reasoning' || text === '') return [];
    open.text += text;
    return [{ type: 'thinking_delta', text }];
  }

  private argumentsDelta(event: JsonObject): void {
    const open = this.items.get(indexOf(event));
    if (open?.kind !== 'call') throw malformed('arguments arrive outside of a call');
    open.json += textIn(event, 'delta') ?? '';
  }

  private done(response: JsonObject | undefined): ModelEvent {
    const items = [...this.items].sort(([a], [b]) => a - b).map(([, item]) => item);
    return {
      type: 'done',
      response: {
        content: items.flatMap((item) => finish(item)),
        stopReason: stopReasonOf(response, items),
        usage: usageOf(objectIn(response, 'usage')),
        model: textIn(response, 'model') || this.requested,
      },
    };
  }
}

function indexOf(event: JsonObject): number {
  const index = countIn(event, 'output_index');
  if (index === undefined) throw malformed('an output item has no index');
  return index;
}

function finish(item: OpenItem): AssistantBlock[] {
  switch (item.kind) {
    case 'message':
      return item.text === '' ? [] : [{ type: 'text', text: item.text }];
    case 'reasoning':
      if (item.text === '' && item.signature === '') return [];
      return [
        { type: 'thinking', text: item.text, ...(item.signature !== '' && { signature: item.signature }) },
      ];
    case 'call':
      return [toolUse(item.id, item.name, item.json, !item.closed)];
  }
}

/** Without its encrypted content a reasoning item cannot be handed back. */
function signatureOf(item: JsonObject | undefined): string {
  const id = textIn(item, 'id');
  const encrypted = textIn(item, 'encrypted_content');
  return id !== undefined && encrypted !== undefined
    ? JSON.stringify({ id, encrypted_content: encrypted })
    : '';
}

function stopReasonOf(response: JsonObject | undefined, items: readonly OpenItem[]): StopReason {
  const reason = textIn(objectIn(response, 'incomplete_details'), 'reason');
  if (reason === 'max_output_tokens') return 'max_tokens';
  if (reason === 'content_filter') return 'refusal';
  if (reason !== undefined || textIn(response, 'status') === 'incomplete') return 'other';
  if (items.some((item) => item.kind === 'call')) return 'tool_use';
  return items.some((item) => item.kind === 'message' && item.refused) ? 'refusal' : 'end_turn';
}

function usageOf(usage: JsonObject | undefined): Usage {
  const input = countIn(usage, 'input_tokens');
  if (input === undefined) return NO_USAGE;
  const cached = countIn(objectIn(usage, 'input_tokens_details'), 'cached_tokens') ?? 0;
  return {
    inputTokens: Math.max(0, input - cached),
    outputTokens: countIn(usage, 'output_tokens') ?? 0,
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
  };
}

function reportedError(error: JsonObject | undefined): WireFailure {
  const kind = textIn(error, 'code') ?? textIn(error, 'type') ?? 'error';
  const { code, retryable } = codeOfStreamError(kind);
  return new WireFailure(code, `${kind}: ${textIn(error, 'message') ?? 'no message'}`, retryable);
}
