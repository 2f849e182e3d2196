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

export interface RequestedCall {
  /** A subagent's name, which the person must see. */
  readonly agent?: string | null;
  /** The command is to run in a terminal of the editor's. */
  readonly hosted?: boolean;
}

interface Card {
  readonly tool: string;
  readonly input: unknown;
  readonly view: ToolCallView;
  /** A terminal of the editor's: wanted for this call, or its id once the command runs in it. Null = none. */
  terminal: 'wanted' | { readonly id: string } | null;
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

  /** The pending card. */
  requested(
    call: CallId,
    tool: string,
    input: unknown,
    { agent = null, hosted = false }: RequestedCall = {},
  ): SessionUpdate[] {
    const known = this.#cards.has(call);
    const view = this.options.views.call(tool, input);
    this.#cards.set(call, {
      tool,
      input,
      view,
      terminal: hosted && view.card === 'terminal' ? 'wanted' : null,
      streamed: false,
      open: true,
    });
    const card = this.#pending(call, agent);
    return [known ? { sessionUpdate: 'tool_call_update', ...card } : { sessionUpdate: 'tool_call', ...card }];
  }

  /** The pending card of a call, as a question about it shows it too. */
  pendingContent(call: CallId): ToolCallContent[] {
    const card = this.#cards.get(call);
    return card === undefined ? [] : this.#callContent(call, card);
  }

  /** Other people are asked: the card says how far they are, above what it had. */
  waiting(call: CallId, text: string): SessionUpdate[] {
    if (this.#cards.get(call)?.open !== true) return [];
    const content = [textContent(text), ...this.pendingContent(call)];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call, status: 'pending', content }];
  }

  started(call: CallId): SessionUpdate[] {
    if (this.#cards.get(call)?.open !== true) return [];
    // What a question had put on the card is over.
    const content = this.pendingContent(call);
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call, status: 'in_progress', content }];
  }

  /** Its command as the card has it. */
  titleOf(call: CallId): string {
    return this.#cards.get(call)?.view.title ?? '';
  }

  /** The command runs in this terminal of the editor's. */
  opened(call: CallId, terminalId: string): SessionUpdate[] {
    const card = this.#cards.get(call);
    if (card?.open !== true) return [];
    card.terminal = { id: terminalId };
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call, content: this.#callContent(call, card) }];
  }

  /** It runs elsewhere after all: the card shows its output as it would without such terminals. */
  refused(call: CallId): SessionUpdate[] {
    const card = this.#cards.get(call);
    if (card?.open !== true || card.terminal === null) return [];
    card.terminal = null;
    const filled = this.#fillsTerminal(card) ? { _meta: this.#terminalInfo(call, card.view.cwd) } : {};
    const content = this.#callContent(call, card);
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call, content, ...filled }];
  }

  progress(call: CallId, event: ToolProgressEvent): SessionUpdate[] {
    const card = this.#cards.get(call);
    if (card?.open !== true) return [];
    if (event.type === 'file_changed' && typeof event.data.path === 'string') {
      const locations = wireLocations(this.options.cwd, [{ path: event.data.path }]);
      return [{ sessionUpdate: 'tool_call_update', toolCallId: call, locations }];
    }
    if (event.type !== 'partial_output' || event.text === '' || !this.#fillsTerminal(card)) return [];
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
    const card = this.#cards.get(call);
    if (card === undefined) return { toolCallId: call, title: '' };
    const { tool, input, view } = card;
    const { cwd } = this.options;
    const title = view.card === 'terminal' ? escapeForPipe(view.title) : displayTitle(cwd, view.title);
    const locations = view.card === 'terminal' ? [] : wireLocations(cwd, view.locations ?? []);
    return {
      toolCallId: call,
      title: agent === null ? title : `${agent}: ${title}`,
      name: tool,
      kind: kindOf(view),
      status: 'pending',
      content: this.#callContent(call, card),
      ...(locations.length === 0 ? {} : { locations }),
      rawInput: view.card === 'generic' ? (view.rawInput ?? input) : input,
      ...(this.#fillsTerminal(card) ? { _meta: this.#terminalInfo(call, card.view.cwd) } : {}),
    };
  }

  #callContent(call: CallId, card: Card): ToolCallContent[] {
    const { view, terminal } = card;
    switch (view.card) {
      case 'generic':
        return contentOf(view.content ?? []);
      case 'diff':
        return diffContent(this.options.cwd, view.diffs);
      case 'terminal': {
        const about = view.description === undefined ? [] : [textContent(view.description)];
        if (terminal !== null && terminal !== 'wanted')
          return [...about, { type: 'terminal', terminalId: terminal.id }];
        return this.#fillsTerminal(card) ? [...about, { type: 'terminal', terminalId: call }] : about;
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
      const kept = card.streamed || isHosted(card) ? this.#callContent(call, card) : [];
      return [{ ...base, ...title, content: [...kept, ...content] }];
    }
    // The terminal shows the output, and the editor knows how what ran in it ended.
    if (isHosted(card)) return [{ ...base, ...title, content: this.#callContent(call, card) }];
    if (!this.#fillsTerminal(card)) {
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

  #fillsTerminal(card: Card): card is Card & { view: Extract<ToolCallView, { card: 'terminal' }> } {
    return card.view.card === 'terminal' && card.terminal === null && this.options.terminalOutput;
  }

  #terminalInfo(call: CallId, cwd: string | undefined): Record<string, unknown> {
    return { terminal_info: { terminal_id: call, cwd: path.resolve(this.options.cwd, cwd ?? '.') } };
  }
}

function isHosted({ terminal }: Card): boolean {
  return terminal !== null && terminal !== 'wanted';
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
