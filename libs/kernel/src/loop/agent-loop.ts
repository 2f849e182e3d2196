import { codeOf, isoNow, messageOf, NO_USAGE, WrongStackError } from '@wrongstack/contracts';
import type {
  Config,
  ContentBlock,
  EventOrigin,
  ModelRequest,
  ModelResponse,
  Provider,
  RunStatus,
  SessionEntry,
  ToolUseBlock,
} from '@wrongstack/contracts';
import type { CallScope } from '../execution/call-scope.js';
import type { Conversation } from '../session/conversation.js';
import type { AgentInput, AgentOptions, AgentPorts, AgentResult } from './agent-options.js';
import { askBudgets } from './ask-budgets.js';
import { Budgets, tightest } from './budgets.js';
import { ContextKeeper } from './context-keeper.js';
import { LoopDetection } from './loop-detection.js';
import { modelTurn, TurnFailed } from './model-turn.js';
import type { RunContext } from './run-context.js';
import { RunTally } from './run-tally.js';
import { runScope, takenIds } from './run-scope.js';
import { runToolCalls } from './run-tool-calls.js';
import { settlePending } from './settle-pending.js';
import { announceTasks } from './task-notices.js';
import { turnRequest } from './turn-request.js';

export interface AgentLoopParts {
  readonly ports: AgentPorts;
  readonly options: AgentOptions;
  readonly conversation: Conversation;
  readonly context: RunContext;
  readonly scope: CallScope;
  readonly append: (entry: SessionEntry) => Promise<void>;
  readonly signal: AbortSignal;
}

interface RunEnd {
  readonly status: RunStatus;
  readonly text: string;
  readonly error: AgentResult['error'];
}

const MOST_CONTINUATIONS = 3;
const MOST_HOOK_RETRIES = 3;

/** One run: from a person's input, turn by turn, to the model's last word, a limit, a failure or an interruption. */
export class AgentLoop {
  readonly #parts: AgentLoopParts;
  readonly #origin: EventOrigin;
  readonly #config: Pick<Config, 'agent' | 'prices' | 'provider'>;
  readonly #budgets: Budgets;
  readonly #tally = new RunTally();
  readonly #loops = new LoopDetection();
  readonly #keeper: ContextKeeper;
  #provider: Provider | null = null;
  #answer: string[] = [];
  #continuations = 0;
  #hookRetries = 0;

  constructor(parts: AgentLoopParts) {
    this.#origin = parts.scope.origin;
    this.#config = parts.ports.config();
    this.#budgets = new Budgets(
      tightest(this.#config.agent, parts.options.budget ?? {}),
      this.#config.prices,
      this.#config.provider.model,
    );
    this.#parts = { ...parts, scope: runScope(parts, this.#budgets, this.#tally) };
    this.#keeper = new ContextKeeper({
      conversation: parts.conversation,
      append: parts.append,
      ask: (request) => this.#askAside(request),
      events: parts.ports.events,
      clock: parts.ports.clock,
      origin: this.#origin,
      config: this.#config,
    });
  }

  /** `null`: go on with a session as it stands. Never rejects for what a model, tool or provider does. */
  async run(input: AgentInput | null): Promise<AgentResult> {
    const started = this.#parts.ports.clock.now();
    let end: RunEnd;
    try {
      const notices = (await this.#parts.options.ready?.(this.#parts.signal)) ?? [];
      await this.#announce(input === null);
      for (const notice of notices) this.#parts.ports.events.emit('error', { ...notice, fatal: false });
      await this.#parts.ports.lifecycle.beforeRun(this.#parts.context, input);
      end = await this.#work(input);
    } catch (error) {
      end = this.#failure(error);
    }
    return this.#finish(end, started);
  }

  /** Summarise older turns now, outside of any turn (`/compact`). */
  async compact(): Promise<boolean> {
    return this.#keeper.compactNow();
  }

  async #announce(resumed: boolean): Promise<void> {
    const { ports, options, append } = this.#parts;
    const facts = options.sessionFacts();
    await append({ type: 'run_start', ts: isoNow(ports.clock), run: this.#origin.run, resumed });
    ports.events.emit('run.started', {
      ...this.#origin,
      model: this.#config.provider.model,
      resumed,
      tools: this.#tools().map(({ name }) => name),
      mode: facts.yolo ? 'yolo' : facts.mode,
    });
  }

  async #work(input: AgentInput | null): Promise<RunEnd> {
    const { ports, conversation, context, signal } = this.#parts;
    await settlePending(this.#parts, this.#tally);
    if (input !== null) await this.#take(input);
    if (conversation.messages.at(-1)?.role !== 'user') return this.#completed();
    for (let index = 0; ; index += 1) {
      if (signal.aborted) return this.#ended('interrupted');
      const limit = await askBudgets(this.#parts, this.#budgets);
      if (limit !== null) return this.#ended('limit', limit);
      ports.events.emit('iteration.started', { ...this.#origin, index });
      await ports.lifecycle.beforeIteration(context, index);
      const end = await this.#iterate(index);
      await ports.lifecycle.afterIteration(context, index);
      if (end !== null) return end;
    }
  }

  async #take(input: AgentInput): Promise<void> {
    const { ports, append } = this.#parts;
    const blocks: readonly ContentBlock[] =
      typeof input === 'string' ? [{ type: 'text', text: input }] : input;
    const content = await ports.pipelines.userInput.run(blocks);
    await append({ type: 'user_input', ts: isoNow(ports.clock), content });
  }

  /** One turn and its calls; null = go on. */
  async #iterate(index: number): Promise<RunEnd | null> {
    let response: ModelResponse;
    try {
      response = await this.#turn();
    } catch (error) {
      return this.#turnFailed(error, index);
    }
    const calls = response.content.filter((block): block is ToolUseBlock => block.type === 'tool_use');
    if (calls.length > 0) {
      this.#answer = [];
      return this.#runCalls(calls);
    }
    this.#answer.push(textOf(response));
    switch (response.stopReason) {
      case 'max_tokens':
        return this.#continueAnswer();
      case 'refusal':
        return this.#ended(
          'failed',
          problem('model.refused', 'the model refused to answer', 'rephrase the request'),
        );
      case 'end_turn':
      case 'tool_use':
      case 'stop_sequence':
      case 'other':
        return this.#completed();
    }
  }

  async #turn(): Promise<ModelResponse> {
    const { ports, options, context, append, signal } = this.#parts;
    this.#provider ??= await options.provider();
    await announceTasks(this.#parts);
    const request = await this.#request();
    // Everything so far must survive a crash before the model is told about it.
    await options.session.flush();
    const { message, response } = await modelTurn(ports, request, {
      context,
      origin: this.#origin,
      provider: this.#provider,
      maxRetries: this.#config.agent.maxRetries,
      signal,
      takenIds: takenIds(this.#parts),
    });
    this.#keeper.learn(request, response);
    const cost = this.#budgets.addTurn(response.usage, [this.#config.provider.model, response.model]);
    this.#countCost(cost, response.model);
    const { content, stopReason, usage, model } = response;
    await append({ type: 'assistant_message', ts: isoNow(ports.clock), content, stopReason, usage, model });
    const text = ports.scrubber.scrub(textOf(response));
    ports.events.emit('message.completed', { ...this.#origin, message, text, stopReason, usage });
    return response;
  }

  async #request(): Promise<ModelRequest> {
    const { ports, options, context, conversation } = this.#parts;
    const build = async (): Promise<ModelRequest> =>
      turnRequest(context, {
        provider: this.#config.provider,
        prompt: options.systemPrompt ?? ports.systemPrompt,
        tools: this.#tools(),
        background: ports.tasks !== null,
        messages: await ports.pipelines.contextWindow.run(conversation.messages),
      });
    const request = await build();
    if (!this.#keeper.isFull(request)) return request;
    return (await this.#keeper.compact()) ? build() : request;
  }

  async #runCalls(calls: readonly ToolUseBlock[]): Promise<RunEnd | null> {
    const { ports, context, scope, append, signal } = this.#parts;
    const callsLeft = this.#budgets.callsLeft;
    const ran = await runToolCalls(ports, calls, { context, scope, append, callsLeft, signal });
    this.#budgets.addCalls(ran.length);
    for (const { use, outcome } of ran) {
      if (outcome === null) continue;
      this.#tally.add(outcome);
      const failed = outcome.status !== 'ok' && outcome.status !== 'aborted';
      const mutating = ports.tools.get(use.name)?.mutating !== false;
      const { state, times } = this.#loops.record(use, { failed, mutating });
      if (state === 'none') continue;
      ports.events.emit('tool.loop_detected', { ...this.#origin, name: use.name, times });
      if (state === 'stop') {
        const message = `the model repeated the same failing call of ${use.name} ${times} times`;
        return this.#ended(
          'failed',
          problem('agent.loop', message, 'say what to do differently and run again'),
        );
      }
      await this.#note(
        `The same call of ${use.name} has now failed ${times} times. Repeating it will not help: read its error, change the approach, or tell the person what is missing.`,
      );
    }
    return null;
  }

  async #continueAnswer(): Promise<RunEnd | null> {
    this.#continuations += 1;
    if (this.#continuations > MOST_CONTINUATIONS) {
      const message = 'the answer was cut off at the output limit again and again';
      return this.#ended('limit', problem('model.max_tokens', message, 'raise provider.maxOutputTokens'));
    }
    await this.#note('Your answer was cut off at the output limit. Go on exactly where it stopped.');
    return null;
  }

  /** A note of the host that the very next request shall carry. */
  async #note(text: string): Promise<void> {
    const { ports, append } = this.#parts;
    const source = { kind: 'host', now: true };
    await append({ type: 'inject', ts: isoNow(ports.clock), content: [{ type: 'text', text }], source });
  }

  async #turnFailed(error: unknown, index: number): Promise<RunEnd | null> {
    const { ports, context, signal } = this.#parts;
    const cause = error instanceof TurnFailed ? error.cause : error;
    const partial = error instanceof TurnFailed ? error.partialText : '';
    if (
      !signal.aborted &&
      codeOf(cause) === 'provider.context_too_long' &&
      this.#hookRetries < MOST_HOOK_RETRIES
    ) {
      this.#hookRetries += 1;
      if (await this.#keeper.compactNow()) return null;
    }
    if (!signal.aborted) {
      const action = await ports.lifecycle.onError(context, cause, 'provider', index);
      // Bounded, since a hook that always says retry would keep a dead provider busy for ever.
      if (action !== 'fail' && this.#hookRetries < MOST_HOOK_RETRIES) {
        this.#hookRetries += 1;
        // `retry` asks as if nothing had been said, `continue` goes on from what was.
        if (action === 'continue' && partial !== '') {
          await this.#keepPartial(partial);
          await this.#note('Your answer was torn off. Go on exactly where it stopped.');
        }
        return null;
      }
    }
    if (partial !== '') await this.#keepPartial(partial);
    return signal.aborted ? this.#ended('interrupted') : this.#failure(cause);
  }

  /** What a torn answer had said stays in the session; it was shown to the person. */
  async #keepPartial(text: string): Promise<void> {
    const { ports, append } = this.#parts;
    this.#answer.push(text);
    await append({
      type: 'assistant_message',
      ts: isoNow(ports.clock),
      content: [{ type: 'text', text }],
      stopReason: 'other',
      usage: NO_USAGE,
      model: this.#config.provider.model,
    });
  }

  async #askAside(request: ModelRequest): Promise<ModelResponse> {
    const { ports, options, context, signal } = this.#parts;
    this.#provider ??= await options.provider();
    const silent = { ...ports, events: { emit: () => undefined } };
    const { response } = await modelTurn(silent, request, {
      context,
      origin: this.#origin,
      provider: this.#provider,
      maxRetries: this.#config.agent.maxRetries,
      signal,
      takenIds: new Set(),
    });
    const cost = this.#budgets.addUsage(response.usage, [this.#config.provider.model, response.model]);
    this.#countCost(cost, response.model);
    const { usage, model } = response;
    await this.#parts.append({ type: 'aside', ts: isoNow(ports.clock), usage, model });
    return response;
  }

  #countCost(cost: number | null, model: string): void {
    if (cost === null || this.#provider === null) return;
    const labels = { provider: this.#provider.type, model };
    this.#parts.ports.metrics.counter('wrongstack_model_cost_dollars_total', cost, labels);
  }

  #tools() {
    const { ports, options } = this.#parts;
    const all = ports.tools.list();
    return options.allowTool === undefined ? all : all.filter(options.allowTool);
  }

  async #completed(): Promise<RunEnd> {
    const text = await this.#parts.ports.pipelines.assistantOutput.run(this.#answer.join(''));
    return { status: this.#tally.stoppedByPolicy ? 'stopped_by_policy' : 'completed', text, error: null };
  }

  #ended(status: RunStatus, error: RunEnd['error'] = null): RunEnd {
    return { status, text: this.#answer.join(''), error };
  }

  #failure(error: unknown): RunEnd {
    if (this.#parts.signal.aborted) return this.#ended('interrupted');
    const cause = error instanceof TurnFailed ? error.cause : error;
    const hint = cause instanceof WrongStackError ? (cause.hint ?? null) : null;
    return this.#ended('failed', {
      code: codeOf(cause),
      message: this.#parts.ports.scrubber.scrub(messageOf(cause)),
      hint,
    });
  }

  async #finish(end: RunEnd, started: number): Promise<AgentResult> {
    const { ports, context, options, append } = this.#parts;
    const { usage, turns, costUsd } = this.#budgets;
    await context.end();
    let { status, error } = end;
    try {
      await append({ type: 'run_end', ts: isoNow(ports.clock), run: this.#origin.run, status, usage });
      await options.session.flush();
    } catch (failure) {
      // A session that cannot be written cannot be resumed, and whoever counts on it must hear that.
      error ??= { code: codeOf(failure), message: messageOf(failure), hint: 'wstack diag' };
      status = 'failed';
    }
    // What stops a subagent does not stop the run: its parent hears of it and goes on.
    const fatal = status === 'failed' && this.#origin.agent === 'main';
    if (error !== null) ports.events.emit('error', { ...error, fatal });
    const durationMs = ports.clock.now() - started;
    const text = ports.scrubber.scrub(end.text);
    ports.events.emit('run.finished', { ...this.#origin, status, turns, usage, durationMs });
    await ports.lifecycle.afterRun(context, { status, text });
    const { model } = this.#config.provider;
    return {
      status,
      text,
      run: this.#origin.run,
      model,
      turns,
      durationMs,
      usage,
      costUsd,
      error,
      ...this.#tally.summary(),
    };
  }
}

function textOf(response: ModelResponse): string {
  return response.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

function problem(code: string, message: string, hint: string): NonNullable<RunEnd['error']> {
  return { code, message, hint };
}
