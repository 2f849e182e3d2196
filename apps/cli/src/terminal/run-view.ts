import { assertNever, type Clock, type EventMap } from '@wrongstack/contracts';
import { resultCard, runningLines, type Card } from './cards.js';
import { subjectOf, type CallViews } from './call-views.js';
import { approverLines, declinedCard, denialCard, parkedLine, type ApproverWait } from './denial-lines.js';
import { errorLines, retryLine } from './error-lines.js';
import type { TerminalEvent } from './event-source.js';
import type { Pace } from './frame-clock.js';
import { formatAge, formatTokens, shortenHome } from './format.js';
import { line, span, wrapLine, type Line } from './lines.js';
import { outputRows, withProgress, type LiveCall } from './live-call.js';
import { MarkdownStream } from './markdown.js';
import { messages } from './messages.js';
import { policyChangeLines, NO_POLICY, type TaskStatus } from './status-lines.js';
import { taskOf } from './task-ids.js';
import type { Look } from './theme.js';

export interface RunViewOptions {
  readonly look: () => Look;
  readonly clock: Clock;
  readonly views: CallViews;
  readonly print: (lines: readonly Line[]) => void;
  readonly canBackground?: (tool: string, input: unknown) => boolean;
}

const SUBJECT_ROWS = 2;

/** Turns the events of runs into transcript lines (printed once) and the live lines below them. */
export class RunView {
  private readonly calls = new Map<string, LiveCall>();
  private readonly waits = new Map<string, ApproverWait>();
  private readonly tasks = new Map<string, TaskStatus>();
  private readonly markdown = new MarkdownStream();
  private streamed: string | null = null;
  private modelSince: number | null = null;
  private thinking = false;
  private retry: Line | null = null;
  private folded: Card | null = null;
  private frame = 0;
  /** Work that is no run: `/compact`. */
  private work: { readonly what: string; readonly since: number } | null = null;

  constructor(private readonly options: RunViewOptions) {}

  handle(event: TerminalEvent): void {
    if (event.name !== 'model.retry') this.retry = null;
    switch (event.name) {
      case 'run.started':
        this.modelSince = this.options.clock.now();
        return;
      case 'run.finished':
        // A subagent's run ends within a call that goes on.
        if (event.payload.agent !== 'main') return;
        this.endText();
        this.modelSince = null;
        this.calls.clear();
        this.waits.clear();
        return;
      case 'message.delta':
        return this.onDelta(event.payload);
      case 'message.completed':
        return this.onMessage(event.payload);
      case 'tool.requested':
        return this.onRequested(event.payload);
      case 'tool.decided':
        return this.update(event.payload.call, (call) => ({ ...call, decision: event.payload.decision }));
      case 'approval.waiting':
        return this.onWaiting(event.payload);
      case 'approval.resolved':
        this.waits.delete(event.payload.call);
        return;
      case 'tool.started':
        return this.update(event.payload.call, (call) => ({
          ...call,
          startedAt: this.options.clock.now(),
          estimateMs: event.payload.estimatedDurationMs,
        }));
      case 'tool.progress':
        return this.onProgress(event.payload);
      case 'tool.executed':
        return this.onExecuted(event.payload);
      case 'tool.parked':
        this.calls.delete(event.payload.call);
        this.waits.delete(event.payload.call);
        return this.print([parkedLine(event.payload.name, event.payload.approval, this.look)]);
      case 'task.changed':
        return this.onTask(event.payload);
      case 'policy.changed':
        return this.onPolicy(event.payload);
      case 'model.retry':
        this.retry = retryLine(event.payload, this.look);
        if (this.look.plain) this.print([this.retry]);
        return;
      case 'tool.loop_detected':
        return this.note(messages.running.loop(event.payload.name, event.payload.times));
      case 'context.compacted':
        return this.note(
          messages.running.compacted(
            formatTokens(event.payload.beforeTokens),
            formatTokens(event.payload.afterTokens),
          ),
        );
      case 'error':
        this.endText();
        return this.print(errorLines(event.payload, this.look));
      case 'iteration.started':
      case 'tool.registered':
      case 'tool.unregistered':
      case 'tool/call':
      case 'tool/result':
      case 'pipeline.failed':
      case 'hook.failed':
      case 'config.changed':
        return;
      default:
        return assertNever(event);
    }
  }

  /** What is still moving, for the live region: unfinished text, running calls, what is waited for. */
  liveLines(): Line[] {
    const { look } = this;
    const now = this.options.clock.now();
    const running = [...this.calls.values()].filter((call) => call.startedAt !== null);
    return [
      ...this.markdown.partial(look),
      ...running.flatMap((call) => this.runningCall(call, now)),
      ...[...this.waits.values()].flatMap((wait) => approverLines(wait, now, look)),
      ...(this.retry === null ? [] : [this.retry]),
      ...(this.waitsForModel() ? [this.modelLine(now)] : []),
      ...(this.work === null ? [] : [this.workLine(this.work, now)]),
    ];
  }

  /** One line about what is being waited for, for plain mode; null = nothing. */
  waitingText(): string | null {
    const now = this.options.clock.now();
    const running = [...this.calls.values()].find((call) => call.startedAt !== null);
    if (running !== undefined) {
      return `${running.tool} ${running.view.title.split('\n')[0] ?? ''}, ${formatAge(now - (running.startedAt ?? now))}`;
    }
    if (this.work !== null) return `${this.work.what}, ${formatAge(now - this.work.since)}`;
    return this.waitsForModel()
      ? `${messages.running.waitingForModel}, ${formatAge(now - (this.modelSince ?? now))}`
      : null;
  }

  nextFrame(): void {
    this.frame += 1;
  }

  /** How often the screen has to be drawn again though nothing happens; null = not at all. */
  pace(): Pace | null {
    if (this.isMoving()) return 'spinning';
    return [...this.tasks.values()].some(({ endedAt }) => endedAt === null) ? 'counting' : null;
  }

  /** Shown until it is called again with null. */
  working(what: string | null): void {
    this.work = what === null ? null : { what, since: this.options.clock.now() };
  }

  /** Those that go on, and those that failed since the person last sent something: of the others a line of their own has told. */
  taskList(): readonly TaskStatus[] {
    return [...this.tasks.values()].filter(({ state }) => state !== 'completed' && state !== 'killed');
  }

  /** The person has seen the screen and goes on: what has ended is in the transcript above. */
  seen(): void {
    for (const [id, { endedAt }] of this.tasks) if (endedAt !== null) this.tasks.delete(id);
  }

  /** Ctrl-O: the last folded output, whole. */
  takeFolded(): readonly Line[] | null {
    const full = this.folded?.full ?? null;
    this.folded = null;
    return full === null ? null : full.flatMap((row) => wrapLine(row, this.look.columns, '  ', 'hard'));
  }

  interrupted(): void {
    this.endText();
    this.modelSince = null;
    this.retry = null;
    this.print([line(span(`${this.look.marks.stopped} ${messages.session.interrupted}`, 'asks'))]);
  }

  private isMoving(): boolean {
    return (
      this.work !== null ||
      this.waitsForModel() ||
      this.waits.size > 0 ||
      [...this.calls.values()].some((call) => call.startedAt !== null)
    );
  }

  private get look(): Look {
    return this.options.look();
  }

  private print(lines: readonly Line[]): void {
    if (lines.length > 0) this.options.print(lines);
  }

  private note(text: string): void {
    this.print([line(span(`${this.look.marks.warning} ${text}`, 'warning'))]);
  }

  private onDelta(event: EventMap['message.delta']): void {
    // Subagents report through their parent; only their calls are shown.
    if (event.agent !== 'main') return;
    this.thinking = event.thinking;
    if (event.thinking) return;
    if (this.streamed !== event.message) {
      this.endText();
      this.streamed = event.message;
    }
    this.print(this.markdown.push(event.text, this.look));
  }

  private onMessage(event: EventMap['message.completed']): void {
    if (event.agent !== 'main') return;
    if (this.streamed !== event.message && event.text !== '')
      this.print(this.markdown.push(event.text, this.look));
    this.endText();
    this.modelSince = this.options.clock.now();
    this.thinking = false;
  }

  private endText(): void {
    this.print(this.markdown.end(this.look));
    this.streamed = null;
  }

  private onRequested(event: EventMap['tool.requested']): void {
    this.calls.set(event.call, {
      call: event.call,
      tool: event.name,
      input: event.input,
      view: this.options.views.call(event.name, event.input),
      agent: event.agent === 'main' ? null : event.agent,
      decision: null,
      startedAt: null,
      estimateMs: null,
      log: null,
      metric: null,
      output: [],
    });
  }

  private onProgress(event: EventMap['tool.progress']): void {
    const progress = event.event;
    if (progress.type === 'warning') {
      this.print(
        wrapLine(
          line(span(`${this.look.marks.warning} ${event.name}: ${progress.text}`, 'warning')),
          this.look.columns,
          '  ',
        ),
      );
    }
    if (progress.type === 'file_changed') {
      const path = shortenHome(progress.data.path, this.look.home);
      this.print([line(span(`  ${messages.running.changed(path)}`, 'meta'))]);
    }
    this.update(event.call, (call) => withProgress(call, progress));
  }

  private onExecuted(event: EventMap['tool.executed']): void {
    const call = this.calls.get(event.call);
    this.calls.delete(event.call);
    this.waits.delete(event.call);
    this.modelSince = this.options.clock.now();
    const view = call?.view ?? this.options.views.call(event.name, event.input);
    if (event.status === 'denied') return this.print(this.deniedCard(event, call ?? null, subjectOf(view)));
    const card = resultCard(
      {
        tool: event.name,
        call: view,
        result: this.options.views.result(event.name, event.input, event.result),
        status: event.status,
        isError: event.isError,
        exitCode: event.exitCode,
        durationMs: event.durationMs,
        task: taskOf(event.result.meta),
        agent: event.agent === 'main' ? null : event.agent,
      },
      this.look,
    );
    if (card.full !== null) this.folded = card;
    this.print(card.lines);
  }

  private deniedCard(event: EventMap['tool.executed'], call: LiveCall | null, subject: string): Line[] {
    const text = event.result.content
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('\n');
    const decision = call?.decision ?? null;
    if (decision?.verdict === 'deny') return denialCard(event.name, subject, decision, this.look);
    return declinedCard(event.name, subject, text.split('\n').slice(0, SUBJECT_ROWS).join(' '), this.look);
  }

  private onWaiting(event: EventMap['approval.waiting']): void {
    const call = this.calls.get(event.call);
    const known = this.waits.get(event.call);
    const decision = call?.decision ?? null;
    const wait: ApproverWait = {
      tool: event.name,
      subject: call === undefined ? '' : subjectOf(call.view),
      approval: event.approval,
      need: event.need,
      have: event.have,
      by: [],
      rule: decision?.by.kind === 'rule' ? decision.by.id : null,
      asked: decision?.approvers?.from ?? [],
      sinceMs: known?.sinceMs ?? this.options.clock.now(),
      expiresAt: event.expiresAt === null ? null : Date.parse(event.expiresAt),
    };
    this.waits.set(event.call, wait);
    if (this.look.plain) this.print(approverLines(wait, this.options.clock.now(), this.look));
  }

  private onTask(event: EventMap['task.changed']): void {
    const now = this.options.clock.now();
    const known = this.tasks.get(event.task);
    const ended = !['queued', 'running', 'stopping'].includes(event.state);
    const call = this.calls.get(event.call);
    const title = call === undefined ? (known?.title ?? '') : subjectOf(call.view);
    this.tasks.set(event.task, {
      id: event.task,
      title,
      state: event.state,
      exitCode: event.exitCode,
      startedAt: known?.startedAt ?? now,
      endedAt: ended ? now : null,
    });
  }

  private onPolicy(event: EventMap['policy.changed']): void {
    const state = (['fresh', 'stale', 'expired', 'undetermined', 'none'] as const).find(
      (one) => one === event.state,
    );
    if (state === undefined) return;
    const status = { ...NO_POLICY, state, revision: event.revision, ageSeconds: event.ageSeconds };
    this.print(policyChangeLines(status, this.look));
  }

  private update(call: string, change: (known: LiveCall) => LiveCall): void {
    const known = this.calls.get(call);
    if (known !== undefined) this.calls.set(call, change(known));
  }

  private waitsForModel(): boolean {
    return this.modelSince !== null && this.calls.size === 0 && this.streamed === null && this.retry === null;
  }

  private modelLine(now: number): Line {
    const { spinner, dot } = this.look.marks;
    const what = this.thinking ? messages.running.thinking : messages.running.waitingForModel;
    return line(
      span(
        `${spinner[this.frame % spinner.length] ?? ''} ${what}${dot}${formatAge(now - (this.modelSince ?? now))}`,
        'meta',
      ),
    );
  }

  private workLine({ what, since }: { readonly what: string; readonly since: number }, now: number): Line {
    const { spinner, dot } = this.look.marks;
    const mark = spinner[this.frame % spinner.length] ?? '';
    const facts = [formatAge(now - since), messages.running.escGivesUp];
    return line(span(`${mark} ${what}${facts.map((fact) => dot + fact).join('')}`, 'meta'));
  }

  private runningCall(call: LiveCall, now: number): Line[] {
    return runningLines(
      {
        tool: call.tool,
        call: call.view,
        elapsedMs: now - (call.startedAt ?? now),
        estimateMs: call.estimateMs,
        agent: call.agent,
        log: call.log,
        metric: call.metric,
        output: outputRows(call),
        canBackground: this.options.canBackground?.(call.tool, call.input) ?? false,
        frame: this.frame,
      },
      this.look,
    );
  }
}
