import {
  NO_USAGE,
  type Decision,
  type EventMap,
  type FileChange,
  type RunStatus,
  type Usage,
} from '@wrongstack/contracts';
import type { TerminalEvent } from '../event-source.js';
import {
  outcomeOf,
  type CallCounts,
  type DeniedCall,
  type PendingCall,
  type RunResult,
} from '../run-result.js';

/** What the app knows about a run beside its events. */
export interface RunFacts {
  readonly session: string;
  readonly run: string;
  readonly model: string;
  readonly costUsd: number | null;
  readonly policy: RunResult['policy'];
  readonly tolerateDenials: boolean;
  /** How the run ended; `error` where it failed. */
  readonly status: RunStatus;
  readonly durationMs: number;
  readonly error: RunResult['error'];
}

/** Adds up one run from its events: calls, denials, files, usage, and the last thing that the model said. */
export class RunCollector {
  private readonly decisions = new Map<string, Decision>();
  private readonly files = new Map<string, FileChange>();
  private readonly tasks = new Map<string, string>();
  private readonly denials: DeniedCall[] = [];
  private readonly pending: PendingCall[] = [];
  private readonly counts = { total: 0, ok: 0, failed: 0, denied: 0, timeout: 0, aborted: 0 };
  private asked = 0;
  private usage: Usage = NO_USAGE;
  private turns = 0;
  private text = '';
  private partial = { message: '', text: '' };

  handle(event: TerminalEvent): void {
    switch (event.name) {
      case 'message.delta':
        if (event.payload.agent === 'main' && !event.payload.thinking) this.onDelta(event.payload);
        return;
      case 'message.completed':
        return this.onMessage(event.payload);
      case 'tool.requested':
        this.counts.total += 1;
        return;
      case 'tool.decided':
        this.decisions.set(event.payload.call, event.payload.decision);
        return;
      case 'tool.executed':
        return this.onExecuted(event.payload);
      case 'tool.parked':
        this.pending.push({
          call: event.payload.call,
          approval: event.payload.approval,
          expiresAt: event.payload.expiresAt,
        });
        return;
      case 'task.changed':
        this.tasks.set(event.payload.task, event.payload.state);
        return;
      default:
        return;
    }
  }

  /** The answer so far; what was streamed of an unfinished message counts. */
  finalText(): string {
    return this.partial.text === '' ? this.text : this.partial.text;
  }

  result(facts: RunFacts): RunResult {
    const stopped = { denied: this.counts.denied, pending: this.pending.length };
    const outcome = outcomeOf(facts.status, stopped, facts.tolerateDenials);
    const calls: CallCounts = { ...this.counts };
    return {
      ...outcome,
      text: this.finalText(),
      session: facts.session,
      run: facts.run,
      model: facts.model,
      turns: this.turns,
      durationMs: facts.durationMs,
      usage: this.usage,
      costUsd: facts.costUsd,
      calls,
      asked: this.asked,
      denials: [...this.denials],
      pending: [...this.pending],
      files: [...this.files.values()],
      tasks: [...this.tasks].map(([task, state]) => ({ task, state })),
      policy: facts.policy,
      error: facts.error,
    };
  }

  private onDelta(event: EventMap['message.delta']): void {
    const known = this.partial.message === event.message ? this.partial.text : '';
    this.partial = { message: event.message, text: known + event.text };
  }

  private onMessage(event: EventMap['message.completed']): void {
    this.usage = {
      inputTokens: this.usage.inputTokens + event.usage.inputTokens,
      outputTokens: this.usage.outputTokens + event.usage.outputTokens,
      cacheReadTokens: this.usage.cacheReadTokens + event.usage.cacheReadTokens,
      cacheWriteTokens: this.usage.cacheWriteTokens + event.usage.cacheWriteTokens,
    };
    if (event.agent !== 'main') return;
    this.turns += 1;
    this.partial = { message: '', text: '' };
    // A turn of calls alone says nothing; the answer is the last text there was.
    if (event.text.trim() !== '') this.text = event.text;
  }

  private onExecuted(event: EventMap['tool.executed']): void {
    const verdict = this.decisions.get(event.call)?.verdict;
    if (event.status !== 'denied' && (verdict === 'confirm' || verdict === 'approve')) this.asked += 1;
    this.counts[event.status] += 1;
    for (const file of event.files) {
      const known = this.files.get(file.path);
      this.files.set(file.path, {
        path: file.path,
        added: (known?.added ?? 0) + file.added,
        removed: (known?.removed ?? 0) + file.removed,
      });
    }
    if (event.status !== 'denied') return;
    const decision = this.decisions.get(event.call) ?? null;
    const said = event.result.content
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('\n');
    const byPolicy = decision?.verdict === 'deny';
    this.denials.push({
      call: event.call,
      tool: event.name,
      decision: decision?.id ?? null,
      rule: byPolicy && decision.by.kind === 'rule' ? decision.by.id : null,
      because: byPolicy ? decision.because : said,
      instead: byPolicy ? decision.instead : null,
    });
  }
}
