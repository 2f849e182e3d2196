import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssistantBlock, ModelEvent, ModelRequest, ModelResponse } from '@wrongstack/contracts';
import {
  NO_USAGE,
  Provider,
  ProviderError,
  WrongStackError,
  messageOf,
  readTextFile,
} from '@wrongstack/contracts';
import { CallIds, toolUse } from '../tool-calls.js';
import { misfit } from './check-expectation.js';
import { fillIn, parseScript } from './parse-script.js';
import type { Script, ScriptError, ScriptTurn } from './script.js';

export interface ScriptedProviderOptions {
  /** Values for `{{name}}` in the script's strings. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Long conversations with their files, and no device without end. */
const MOST_BYTES = 64 * 1024 * 1024;

const RETRYABLE = new Set<string>([
  'provider.rate_limited',
  'provider.overloaded',
  'provider.unreachable',
  'provider.truncated',
]);

/**
 * Plays a recorded conversation: no key, no server, the same each time. A conversation that has begun elsewhere (a
 * resumed session) goes on behind the turns that were already answered.
 */
export class ScriptedProvider extends Provider {
  readonly type = 'scripted';
  readonly endpoint: string;
  private script: Script | undefined;
  private next: number | undefined;

  /** `source`: a script, or the path of its JSON file, which is read when the first request comes. */
  constructor(
    private readonly source: Script | string,
    private readonly options: ScriptedProviderOptions = {},
  ) {
    super();
    const name = typeof source === 'string' ? basename(source) : (source.name ?? 'inline');
    this.endpoint = `script:${name}`;
  }

  /** How this model calls itself: the script's word for it, else the script. Whatever is configured, nothing else answers. */
  async modelName(): Promise<string> {
    try {
      this.script ??= await this.load();
    } catch {
      // The first request says what is wrong with the script.
    }
    return this.script?.model ?? this.endpoint;
  }

  override async *stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    signal.throwIfAborted();
    this.script ??= await this.load();
    this.next ??= firstTurn(this.script, request);
    const index = this.next;
    const turn = this.script.turns[index];
    if (turn === undefined) {
      throw this.unfit(`has ended: request ${index + 1} came, it holds ${this.script.turns.length} turns`);
    }
    const problem = turn.expect === undefined ? undefined : misfit(turn.expect, request);
    if (problem !== undefined) throw this.unfit(`turn ${index + 1} expects ${problem}`);
    await pause(turn.delayMs, signal);
    this.next = index + 1;
    if (turn.error) throw this.scriptedError(turn.error);
    yield* play(turn, index, this.script.model ?? this.endpoint, request, signal);
  }

  private async load(): Promise<Script> {
    const raw = typeof this.source === 'string' ? await readScript(this.source) : this.source;
    return fillIn(parseScript(raw, this.endpoint.slice('script:'.length)), this.options.variables ?? {});
  }

  private unfit(problem: string): ProviderError {
    return new ProviderError('provider.bad_request', `${this.endpoint} ${problem}`, {
      retryable: false,
      hint: 'record the conversation again',
    });
  }

  private scriptedError({ code, message, status, retryAfterMs, retryable }: ScriptError): ProviderError {
    return new ProviderError(code, message ?? `${this.endpoint} fails as written (${status ?? code})`, {
      status,
      retryAfterMs,
      retryable: retryable ?? RETRYABLE.has(code),
    });
  }
}

async function readScript(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readTextFile(file, { mostBytes: MOST_BYTES }));
  } catch (thrown) {
    throw new WrongStackError('script.unreadable', `script ${file}: ${messageOf(thrown)}`, {
      cause: thrown,
      hint: 'check provider.script',
    });
  }
}

/** Behind the turns whose answers are in the conversation already; failed ones left nothing there. */
function firstTurn(script: Script, request: ModelRequest): number {
  let answered = request.messages.filter((message) => message.role === 'assistant').length;
  let index = 0;
  for (; answered > 0 && index < script.turns.length; index += 1) {
    if (!script.turns[index]?.error) answered -= 1;
  }
  return index;
}

async function* play(
  turn: ScriptTurn,
  index: number,
  model: string,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const content: AssistantBlock[] = [];
  if (turn.thinking !== undefined) {
    yield { type: 'thinking_delta', text: turn.thinking };
    content.push({ type: 'thinking', text: turn.thinking });
  }
  if (turn.text !== undefined) {
    for (const text of turn.text.match(/\s*\S+\s*/g) ?? [turn.text]) {
      await pause(turn.pieceDelayMs, signal);
      yield { type: 'text_delta', text };
    }
    content.push({ type: 'text', text: turn.text });
  }
  const ids = new CallIds(request);
  for (const [position, call] of (turn.calls ?? []).entries()) {
    const id = ids.claim(call.id ?? `call_${index + 1}_${position + 1}`);
    yield { type: 'tool_use_start', id, name: call.tool };
    const raw = call.rawInput ?? JSON.stringify(call.input ?? {});
    content.push(toolUse(id, call.tool, raw, turn.stopReason === 'max_tokens'));
  }
  signal.throwIfAborted();
  yield { type: 'done', response: responseOf(turn, content, model) };
}

function responseOf(turn: ScriptTurn, content: readonly AssistantBlock[], model: string): ModelResponse {
  const calls = (turn.calls ?? []).length > 0;
  return {
    content,
    stopReason: turn.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
    usage: { ...NO_USAGE, ...turn.usage },
    model,
  };
}

async function pause(milliseconds: number | undefined, signal: AbortSignal): Promise<void> {
  if (milliseconds === undefined || milliseconds === 0) return;
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (thrown) {
    // The sleeper wraps the reason; callers compare it.
    signal.throwIfAborted();
    throw thrown;
  }
}
