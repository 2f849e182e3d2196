import { isoNow } from '@wrongstack/contracts';
import type {
  Clock,
  Config,
  EventOrigin,
  Message,
  ModelRequest,
  ModelResponse,
  SessionEntry,
} from '@wrongstack/contracts';
import type { EventSink } from '../execution/call-scope.js';
import type { Conversation } from '../session/conversation.js';
import { planCompaction, summarise } from './compaction.js';
import { estimateRequest, estimateTokens } from './token-estimate.js';

export interface ContextKeeperPorts {
  readonly conversation: Conversation;
  readonly append: (entry: SessionEntry) => Promise<void>;
  readonly ask: (request: ModelRequest) => Promise<ModelResponse>;
  readonly events: EventSink;
  readonly clock: Clock;
  readonly origin: EventOrigin;
  readonly config: Pick<Config, 'agent' | 'provider'>;
}

/** Keeps the conversation within the context budget, by summarising what is older. */
export class ContextKeeper {
  /** Real tokens for each estimated one, learnt from what providers report; never below one, as some report too little. */
  #ratio = 1;

  constructor(private readonly ports: ContextKeeperPorts) {}

  isFull(request: ModelRequest): boolean {
    const { contextTokens, compactAt } = this.ports.config.agent;
    return estimateRequest(request) * this.#ratio > contextTokens * compactAt;
  }

  learn(request: ModelRequest, { usage }: ModelResponse): void {
    const real = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    if (real > 0) this.#ratio = Math.min(3, Math.max(1, real / Math.max(1, estimateRequest(request))));
  }

  /** False when nothing older is left to summarise, or when its summary would be no shorter than itself. */
  async compact(): Promise<boolean> {
    return this.#compactWithin(this.ports.config.agent.contextTokens / this.#ratio);
  }

  /** The same where the budget says nothing: the person asks for it, or the model's own limit was met below it. */
  async compactNow(): Promise<boolean> {
    const { agent } = this.ports.config;
    const held = estimateTokens(this.ports.conversation.messages);
    return this.#compactWithin(Math.min(agent.contextTokens / this.#ratio, held));
  }

  async #compactWithin(budgetTokens: number): Promise<boolean> {
    const { conversation, append, ask, events, clock, origin, config } = this.ports;
    const plan = planCompaction(conversation.messages, budgetTokens);
    if (plan === null) return false;
    const beforeTokens = estimateTokens(conversation.messages);
    const { model, maxOutputTokens = 4_096 } = config.provider;
    const request = { model, maxOutputTokens };
    const summary = await summarise(plan.older, { budgetTokens, request, ask });
    if (estimateTokens([summaryMessage(summary)]) >= estimateTokens(plan.older)) return false;
    await append({ type: 'compaction', ts: isoNow(clock), summary, keptFrom: plan.keptFrom });
    const afterTokens = estimateTokens(conversation.messages);
    events.emit('context.compacted', { ...origin, beforeTokens, afterTokens });
    return true;
  }
}

function summaryMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
