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
import { WireFailure } from '../wire-format.js';

interface OpenCall {
  readonly index: number | undefined;
  readonly wireId: string | undefined;
  readonly id: CallId;
  readonly name: string;
  json: string;
}

/** Reads the stream of a Chat Completions response, with the liberties that compatible servers take. */
export class ChatStreamDecoder implements StreamDecoder {
  private readonly ids: CallIds;
  private readonly calls: OpenCall[] = [];
  private model: string;
  private text = '';
  private thinking = '';
  private usage: Usage = NO_USAGE;
  private refused = false;
  private finish: string | undefined;

  constructor(request: ModelRequest) {
    this.ids = new CallIds(request);
    this.model = request.model;
  }

  push({ data }: ServerSentEvent): readonly ModelEvent[] {
    if (data.trim() === '[DONE]') return this.end();
    const chunk = parseEvent(data);
    if (chunk['error'] !== undefined && chunk['error'] !== null) throw reportedError(chunk);
    this.model = textIn(chunk, 'model') || this.model;
    this.usage = usageOf(objectIn(chunk, 'usage')) ?? this.usage;
    const choice = listIn(chunk, 'choices')[0];
    // After the finish only the usage is still to come; a second answer behind it is none of ours.
    if (!isObject(choice) || this.finish !== undefined || (countIn(choice, 'index') ?? 0) !== 0) return [];
    const events = this.delta(objectIn(choice, 'delta'));
    this.finish = textIn(choice, 'finish_reason');
    return events;
  }

  /** Not every server ends with `[DONE]`; one that said why it finished has finished. */
  end(): readonly ModelEvent[] {
    if (this.finish === undefined) return [];
    const response = {
      content: this.content(),
      stopReason: this.stopReason(),
      usage: this.usage,
      model: this.model,
    };
    return [{ type: 'done', response }];
  }

  private delta(delta: JsonObject | undefined): ModelEvent[] {
    const events: ModelEvent[] = [];
    const thought = textIn(delta, 'reasoning_content') ?? textIn(delta, 'reasoning') ?? '';
    if (thought !== '') {
      this.thinking += thought;
      events.push({ type: 'thinking_delta', text: thought });
    }
    const refusal = textIn(delta, 'refusal') ?? '';
    if (refusal !== '') this.refused = true;
    const text = (textIn(delta, 'content') ?? '') + refusal;
    if (text !== '') {
      this.text += text;
      events.push({ type: 'text_delta', text });
    }
    for (const call of listIn(delta, 'tool_calls')) if (isObject(call)) events.push(...this.callDelta(call));
    return events;
  }

  private callDelta(delta: JsonObject): readonly ModelEvent[] {
    const details = objectIn(delta, 'function');
    const index = countIn(delta, 'index');
    const wireId = textIn(delta, 'id') || undefined;
    const name = textIn(details, 'name') ?? '';
    const known = this.find(index, wireId, name);
    if (known) {
      known.json += textIn(details, 'arguments') ?? '';
      return [];
    }
    const json = textIn(details, 'arguments') ?? '';
    const call: OpenCall = { index, wireId, id: this.ids.claim(wireId), name, json };
    this.calls.push(call);
    return [{ type: 'tool_use_start', id: call.id, name }];
  }

  /** The call that a piece belongs to. Servers exist that leave the index out, and that use index 0 for every call. */
  private find(index: number | undefined, wireId: string | undefined, name: string): OpenCall | undefined {
    const last = this.calls.at(-1);
    const candidate =
      index !== undefined
        ? this.calls.findLast((call) => call.index === index)
        : wireId !== undefined
          ? this.calls.find((call) => call.wireId === wireId)
          : last;
    const isAnother = wireId !== undefined && candidate?.wireId !== wireId && name !== '';
    return isAnother ? undefined : candidate;
  }

  private content(): AssistantBlock[] {
    const cutOff = this.finish === 'length';
    const last = this.calls.at(-1);
    return [
      ...(this.thinking === '' ? [] : [{ type: 'thinking', text: this.thinking } as const]),
      ...(this.text === '' ? [] : [{ type: 'text', text: this.text } as const]),
      ...this.calls.map((call) => toolUse(call.id, call.name, call.json, cutOff && call === last)),
    ];
  }

  private stopReason(): StopReason {
    if (this.refused) return 'refusal';
    switch (this.finish ?? '') {
      case 'length':
        return 'max_tokens';
      case 'content_filter':
        return 'refusal';
      case 'tool_calls':
      case 'function_call':
        return 'tool_use';
      case 'stop':
        // Some servers say `stop` although calls are waiting.
        return this.calls.length > 0 ? 'tool_use' : 'end_turn';
      default:
        return this.calls.length > 0 ? 'tool_use' : 'other';
    }
  }
}

function usageOf(usage: JsonObject | undefined): Usage | undefined {
  const prompt = countIn(usage, 'prompt_tokens');
  if (prompt === undefined) return undefined;
  const cached =
    countIn(objectIn(usage, 'prompt_tokens_details'), 'cached_tokens') ??
    countIn(usage, 'prompt_cache_hit_tokens') ??
    0;
  return {
    inputTokens: Math.max(0, prompt - cached),
    outputTokens: countIn(usage, 'completion_tokens') ?? 0,
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
  };
}

function reportedError(chunk: JsonObject): WireFailure {
  const error = objectIn(chunk, 'error');
  const kind = textIn(error, 'code') ?? textIn(error, 'type') ?? 'error';
  const { code, retryable } = codeOfStreamError(kind);
  const message = textIn(error, 'message') ?? textIn(chunk, 'error') ?? 'no message';
  return new WireFailure(code, `${kind}: ${message}`, retryable);
}
