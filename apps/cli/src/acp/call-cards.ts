import path from 'node:path';
import type { SessionUpdate, ToolCall, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk';
import {
  assertNever,
  type CallId,
  type PresentableResult,
  type ToolCallView,
  type ToolProgressEvent,
  type ToolResultView,
} from '@wrongstack/contracts';
import type { CallViews } from '../terminal/call-views.js';
import { escapeForPipe } from '../terminal/escape-text.js';
import { contentOf, diffContent, displayTitle, fenced, textContent, wireLocations } from './wire-content.js';

export interface CardOptions {
  readonly views: CallViews;
  readonly cwd: string;
  /** The client shows terminals that we fill; otherwise output is fenced text. */
  readonly terminalOutput: boolean;
}

/** How a call ended: what a live run and the log both know. */
export interface EndedCall {
  readonly call: CallId;
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'denied' | 'timeout' | 'aborted' | 'interrupted' | 'parked';
  readonly result: PresentableResult;
}

interface Card {
  readonly tool: string;
  readonly input: unknown;
  readonly view: ToolCallView;
  streamed: boolean;
  open: boolean;
}

const INTERRUPTED = 'Interrupted: this call has no result.';

/**
 * Tool calls as an editor's cards. The same few steps serve a live run and a session's log, so that both draw the same
 * cards; a call that was announced once is only ever updated, and none stays without an end.
 */
export class CallCards {
  readonly #cards = new Map<CallId, Card>();

  constructor(private readonly options: CardOptions) {}

  /** The pending card. `agent`: a subagent's name, which the person must see. */
  requested(call: CallId, tool: string, input: unknown, agent: string | null = null): SessionUpdate[] {
    const known = this.#cards.has(call);
    const view = this.options.views.call(tool, input);
    this.#cards.set(call, { tool, input, view, streamed: false, open: true });
    const card = this.#pending(call, agent);
    return [known ? { sessionUpdate: 'tool_call_update', ...card } : { sessionUpdate: 'tool_call', ...card }];
  }

  /** The pending card of a call, as a question about it shows it too. */
  pendingContent(call: CallId): ToolCallContent[] {
    const card = this.#cards.get(call);
    return card === undefined ? [] : this.#callContent(call, card.view);
  }

  started(call: CallId): SessionUpdate[] {
    if (this.#cards.get(call)?.open !== true) return [];
    // What a question had put on the card is over.
    const content = this.pendingContent(call);
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call, status: 'in_progress', content }];
  }

  progress(call: CallId, event: ToolProgressEvent): SessionUpdate[] {
    const card = this.#cards.get(call);
    if (card?.open !== true) return [];
    if (event.type === 'file_changed' && typeof event.data.path === 'string') {
      const locations = wireLocations(this.options.cwd, [{ path: event.data.path }]);
      return [{ sessionUpdate: 'tool_call_update', toolCallId: call, locations }];
    }
    if (event.type !== 'partial_output' || event.text === '' || !this.#fillsTerminal(card.view)) return [];
    card.streamed = true;
    return [terminalOutput(call, event.text)];
  }

  ended({ call, name, status, result }: EndedCall): SessionUpdate[] {
    const announced = this.#cards.has(call) ? [] : this.requested(call, name, {});
    const card = this.#cards.get(call);
    if (card === undefined) return announced;
    card.open = false;
    switch (status) {
      case 'ok':
      case 'failed':
      case 'timeout':
      case 'aborted':
        return [...announced, ...this.#result(call, card, status, result)];
      case 'denied':
      case 'interrupted':
      case 'parked':
        return [...announced, failed(call, [...contentOf(result.content), ...this.#refusedDiff(card.view)])];
      default:
        return assertNever(status);
    }
  }

  /** Calls that a run left behind: the editor must not show them as running for ever. */
  abandoned(): SessionUpdate[] {
    const updates: SessionUpdate[] = [];
    for (const [call, card] of this.#cards) {
      if (!card.open) continue;
      card.open = false;
      updates.push(failed(call, [textContent(INTERRUPTED)]));
    }
    return updates;
  }

  #pending(call: CallId, agent: string | null): ToolCall {
    const { tool, input, view } = this.#cards.get(call) ?? { tool: '', input: null, view: null };
    if (view === null) return { toolCallId: call, title: tool };
    const { cwd } = this.options;
    const title = view.card === 'terminal' ? escapeForPipe(view.title) : displayTitle(cwd, view.title);
    const locations = view.card === 'terminal' ? [] : wireLocations(cwd, view.locations ?? []);
    return {
      toolCallId: call,
      title: agent === null ? title : `${agent}: ${title}`,
      name: tool,
      kind: kindOf(view),
      status: 'pending',
      content: this.#callContent(call, view),
      ...(locations.length === 0 ? {} : { locations }),
      rawInput: view.card === 'generic' ? (view.rawInput ?? input) : input,
      ...(this.#fillsTerminal(view) ? { _meta: this.#terminalInfo(call, view.cwd) } : {}),
    };
  }

  #callContent(call: CallId, view: ToolCallView): ToolCallContent[] {
    switch (view.card) {
      case 'generic':
        return contentOf(view.content ?? []);
      case 'diff':
        return diffContent(this.options.cwd, view.diffs);
      case 'terminal': {
        const about = view.description === undefined ? [] : [textContent(view.description)];
        return this.#fillsTerminal(view) ? [...about, { type: 'terminal', terminalId: call }] : about;
      }
    }
  }

  #result(
    call: CallId,
    card: Card,
    status: 'ok' | 'failed' | 'timeout' | 'aborted',
    result: PresentableResult,
  ): SessionUpdate[] {
    const view = this.options.views.result(card.tool, card.input, result);
    const state = status === 'ok' && !result.isError ? 'completed' : 'failed';
    const title = view.title === undefined ? {} : { title: this.#resultTitle(view, view.title) };
    const base = { sessionUpdate: 'tool_call_update', toolCallId: call, status: state } as const;
    if (view.card !== 'terminal') {
      const content =
        view.card === 'diff' ? diffContent(this.options.cwd, view.diffs) : contentOf(view.content ?? []);
      // A card that was a terminal keeps it: content replaces what the call had.
      const kept = card.streamed ? this.#callContent(call, card.view) : [];
      return [{ ...base, ...title, content: [...kept, ...content] }];
    }
    if (!this.#fillsTerminal(card.view)) {
      return [{ ...base, ...title, content: [textContent(fencedResult(view))] }];
    }
    const { output = '', exitCode = null, signal = null } = view;
    const whole = card.streamed || output === '' ? [] : [terminalOutput(call, output)];
    const exit = { terminal_id: call, exit_code: exitCode, signal };
    return [...whole, { ...base, ...title, _meta: { terminal_exit: exit } }];
  }

  /** What was refused stays readable under the reason. */
  #refusedDiff(view: ToolCallView): ToolCallContent[] {
    return view.card === 'diff' ? diffContent(this.options.cwd, view.diffs) : [];
  }

  #resultTitle(view: ToolResultView, title: string): string {
    return view.card === 'terminal' ? escapeForPipe(title) : displayTitle(this.options.cwd, title);
  }

  #fillsTerminal(view: ToolCallView): view is Extract<ToolCallView, { card: 'terminal' }> {
    return view.card === 'terminal' && this.options.terminalOutput;
  }

  #terminalInfo(call: CallId, cwd: string | undefined): Record<string, unknown> {
    return { terminal_info: { terminal_id: call, cwd: path.resolve(this.options.cwd, cwd ?? '.') } };
  }
}

function failed(toolCallId: CallId, content: ToolCallContent[]): SessionUpdate {
  return { sessionUpdate: 'tool_call_update', toolCallId, status: 'failed', content };
}

function terminalOutput(call: CallId, text: string): SessionUpdate {
  // The editor's terminal obeys what it gets, and commands print what they like.
  const data = escapeForPipe(text);
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: call,
    _meta: { terminal_output: { terminal_id: call, data } },
  };
}

/** For clients without terminals: the output fenced, and how it ended in words. */
function fencedResult({
  output = '',
  exitCode,
  signal,
}: Extract<ToolResultView, { card: 'terminal' }>): string {
  const end =
    signal !== undefined ? `ended by ${signal}` : exitCode === undefined ? '' : `exit code ${exitCode}`;
  return [output === '' ? '' : fenced(output, 'console'), end].filter((part) => part !== '').join('\n');
}

function kindOf(view: ToolCallView): ToolKind {
  switch (view.card) {
    case 'terminal':
      return 'execute';
    case 'diff':
      return 'edit';
    case 'generic':
      return view.kind ?? 'other';
  }
}
