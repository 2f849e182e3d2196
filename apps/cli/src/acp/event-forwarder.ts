import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Disposer } from '@wrongstack/contracts';
import { type EventSource, listenToEvents, type TerminalEvent } from '../terminal/event-source.js';
import type { CallCards } from './call-cards.js';
import { planUpdate } from './plan-update.js';

export interface ForwarderOptions {
  readonly cards: CallCards;
  readonly send: (...updates: readonly SessionUpdate[]) => void;
  readonly notices: boolean;
  /** Whether this tool's commands are to run in the editor's terminals. */
  readonly hosts: (tool: string) => boolean;
  /** Size of the context in tokens. */
  readonly contextTokens: () => number;
  /** Something that a call may have changed: the mode. */
  readonly onCallEnded: () => void;
}

const MAIN = 'main';

/** Turns what the kernel announces into updates of one session. The host belongs to that session alone. */
export function forwardEvents(events: EventSource, options: ForwarderOptions): Disposer {
  return listenToEvents(events, (event) => {
    options.send(...updatesOf(event, options));
    if (event.name === 'tool.executed') options.onCallEnded();
  });
}

function updatesOf(event: TerminalEvent, options: ForwarderOptions): SessionUpdate[] {
  const { cards } = options;
  switch (event.name) {
    case 'message.delta': {
      const { agent, text, thinking, message } = event.payload;
      // A subagent answers its parent, not the person.
      if (agent !== MAIN) return [];
      const sessionUpdate = thinking ? 'agent_thought_chunk' : 'agent_message_chunk';
      return [{ sessionUpdate, content: { type: 'text', text }, messageId: message }];
    }
    case 'message.completed': {
      const { agent, usage } = event.payload;
      if (agent !== MAIN) return [];
      const sent = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
      const used = sent + usage.outputTokens;
      return used === 0 ? [] : [{ sessionUpdate: 'usage_update', used, size: options.contextTokens() }];
    }
    case 'tool.requested': {
      const { call, name, input, agent } = event.payload;
      return cards.requested(call, name, input, {
        agent: agent === MAIN ? null : agent,
        hosted: options.hosts(name),
      });
    }
    case 'approval.waiting': {
      const { call, approval, have, need, expiresAt } = event.payload;
      const until = expiresAt === null ? '' : `, until ${expiresAt}`;
      return cards.waiting(
        call,
        `Waits for approval ${approval}: ${have} of ${need} yes${until}. Cancelling withdraws it.`,
      );
    }
    case 'tool.started':
      return cards.started(event.payload.call);
    case 'tool.progress':
      return cards.progress(event.payload.call, event.payload.event);
    case 'tool.executed': {
      const { call, name, status, result } = event.payload;
      return [...cards.ended({ call, name, status, result }), ...planUpdate(name, result.meta)];
    }
    case 'tool.parked': {
      const { call, name, approval, expiresAt } = event.payload;
      const until = expiresAt === null ? '' : `, until ${expiresAt}`;
      const text = `Not run: it waits for an approval (${approval}${until}).`;
      const result = { content: [{ type: 'text', text } as const], isError: true };
      return cards.ended({ call, name, status: 'parked', result });
    }
    case 'model.retry': {
      const { attempt, of, waitMs } = event.payload;
      const seconds = Math.ceil(waitMs / 1000);
      return notice(options, 'warning', `model busy · try ${attempt} of ${of} in ${seconds} s`);
    }
    case 'error':
      // What a run goes on without is worth a line of its answer where the editor shows no notices.
      if (!options.notices && event.payload.code.startsWith('mcp.')) return [said(event.payload.message)];
      return notice(options, event.payload.fatal ? 'error' : 'warning', event.payload.message);
    case 'policy.changed':
      return notice(options, 'warning', `policy ${event.payload.state}`);
    default:
      return [];
  }
}

function notice(
  { notices }: ForwarderOptions,
  severity: 'warning' | 'error',
  title: string,
): SessionUpdate[] {
  return notices ? [{ sessionUpdate: 'notice', severity, title }] : [];
}

function said(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${text}\n\n` } };
}
