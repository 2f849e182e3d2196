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
import { countIn, objectIn, parseEvent, textIn } from '../json-fields.js';
import { CallIds, toolUse } from '../tool-calls.js';
import type { ServerSentEvent, StreamDecoder } from '../wire-format.js';
import { WireFailure, malformed } from '../wire-format.js';
import { REDACTED } from './encode-request.js';

type OpenBlock =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'thinking'; text: string; signature: string }
  | { readonly kind: 'tool'; readonly id: CallId; readonly name: string; json: string; closed: boolean }
  | { readonly kind: 'ignored' };

/** Reads the stream of a Messages response. Blocks are kept by their index; they may be interleaved. */
export class AnthropicStreamDecoder implements StreamDecoder {
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly ids: CallIds;
  private model: string;
  private usage: Usage = NO_USAGE;
  private stop: string | undefined;
  private started = false;

  constructor(request: ModelRequest) {
    this.ids = new CallIds(request);
    this.model = request.model;
  }

  push({ data }: ServerSentEvent): readonly ModelEvent[] {
    const event = parseEvent(data);
    switch (textIn(event, 'type') ?? '') {
      case 'message_start':
        return this.start(objectIn(event, 'message'));
      case 'content_block_start':
        return this.open(indexOf(event), objectIn(event, 'content_block'));
      case 'content_block_delta':
        return this.delta(indexOf(event), objectIn(event, 'delta'));
      case 'content_block_stop':
        return this.close(indexOf(event));
      case 'message_delta':
        this.stop = textIn(objectIn(event, 'delta'), 'stop_reason') ?? this.stop;
        this.count(objectIn(event, 'usage'));
        return [];
      case 'message_stop':
        return [this.done()];
      case 'error':
        throw reportedError(objectIn(event, 'error'));
      default:
        // `ping`, and kinds that later versions add.
        return [];
    }
  }

  end(): readonly ModelEvent[] {
    return [];
  }

  private start(message: JsonObject | undefined): readonly ModelEvent[] {
    if (this.started) throw malformed('a second message begins inside the first');
    this.started = true;
    this.model = textIn(message, 'model') ?? this.model;
    this.count(objectIn(message, 'usage'));
    return [];
  }

  private open(index: number, block: JsonObject | undefined): readonly ModelEvent[] {
    if (this.blocks.has(index)) throw malformed(`content block ${index} begins twice`);
    switch (textIn(block, 'type') ?? '') {
      case 'text':
        this.blocks.set(index, { kind: 'text', text: '' });
        return this.textDelta(index, textIn(block, 'text') ?? '');
      case 'thinking':
        this.blocks.set(index, {
          kind: 'thinking',
          text: textIn(block, 'thinking') ?? '',
          signature: textIn(block, 'signature') ?? '',
        });
        return [];
      case 'redacted_thinking':
        this.blocks.set(index, {
          kind: 'thinking',
          text: '',
          signature: REDACTED + (textIn(block, 'data') ?? ''),
        });
        return [];
      case 'tool_use': {
        const id = this.ids.claim(textIn(block, 'id'));
        const name = textIn(block, 'name') ?? '';
        this.blocks.set(index, { kind: 'tool', id, name, json: initialInput(block), closed: false });
        return [{ type: 'tool_use_start', id, name }];
      }
      default:
        this.blocks.set(index, { kind: 'ignored' });
        return [];
    }
  }

  private delta(index: number, delta: JsonObject | undefined): readonly ModelEvent[] {
    const block = this.blocks.get(index);
    if (block === undefined) throw malformed(`content block ${index} has no beginning`);
    switch (textIn(delta, 'type') ?? '') {
      case 'text_delta':
        return this.textDelta(index, textIn(delta, 'text') ?? '');
      case 'thinking_delta': {
        const text = textIn(delta, 'thinking') ?? '';
        if (block.kind !== 'thinking' || text === '') return [];
        block.text += text;
        return [{ type: 'thinking_delta', text }];
      }
      case 'signature_delta':
        if (block.kind === 'thinking') block.signature += textIn(delta, 'signature') ?? '';
        return [];
      case 'input_json_delta':
        if (block.kind === 'tool') block.json += textIn(delta, 'partial_json') ?? '';
        return [];
      default:
        return [];
    }
  }

  private textDelta(index: number, text: string): readonly ModelEvent[] {
    const block = this.blocks.get(index);
    if (block?.kind !== 'text' || text === '') return [];
    block.text += text;
    return [{ type: 'text_delta', text }];
  }

  private close(index: number): readonly ModelEvent[] {
    const block = this.blocks.get(index);
    if (block?.kind === 'tool') block.closed = true;
    return [];
  }

  private count(usage: JsonObject | undefined): void {
    this.usage = {
      inputTokens: countIn(usage, 'input_tokens') ?? this.usage.inputTokens,
      outputTokens: countIn(usage, 'output_tokens') ?? this.usage.outputTokens,
      cacheReadTokens: countIn(usage, 'cache_read_input_tokens') ?? this.usage.cacheReadTokens,
      cacheWriteTokens: countIn(usage, 'cache_creation_input_tokens') ?? this.usage.cacheWriteTokens,
    };
  }

  private done(): ModelEvent {
    const inOrder = [...this.blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
    const last = inOrder.at(-1);
    const content = inOrder.flatMap((block) => this.finish(block, block === last));
    return {
      type: 'done',
      response: { content, stopReason: stopReasonOf(this.stop), usage: this.usage, model: this.model },
    };
  }

  private finish(block: OpenBlock, isLast: boolean): AssistantBlock[] {
    switch (block.kind) {
      case 'text':
        return block.text === '' ? [] : [{ type: 'text', text: block.text }];
      case 'thinking':
        return [
          {
            type: 'thinking',
            text: block.text,
            ...(block.signature !== '' && { signature: block.signature }),
          },
        ];
      case 'tool': {
        const cutOff = !block.closed || (isLast && this.stop === 'max_tokens');
        return [toolUse(block.id, block.name, block.json, cutOff)];
      }
      case 'ignored':
        return [];
    }
  }
}

function indexOf(event: JsonObject): number {
  const index = countIn(event, 'index');
  if (index === undefined) throw malformed('a content block has no index');
  return index;
}

/** Usually `{}` and filled by deltas; some compatible servers send the whole input here. */
function initialInput(block: JsonObject | undefined): string {
  const input = objectIn(block, 'input');
  return input !== undefined && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
}

function stopReasonOf(reason = ''): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'tool_use':
    case 'max_tokens':
    case 'stop_sequence':
    case 'refusal':
      return reason;
    case 'model_context_window_exceeded':
      return 'max_tokens';
    default:
      return 'other';
  }
}

function reportedError(error: JsonObject | undefined): WireFailure {
  const kind = textIn(error, 'type') ?? 'error';
  const { code, retryable } = codeOfStreamError(kind);
  return new WireFailure(code, `${kind}: ${textIn(error, 'message') ?? 'no message'}`, retryable);
}
