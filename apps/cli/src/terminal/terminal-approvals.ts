import {
  ApprovalChannel,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Clock,
} from '@wrongstack/contracts';
import { answerOfLine, confirmStep, openConfirm, REST_MS, type ConfirmState } from './confirm.js';
import type { InputEvent } from './key.js';
import { line, lineText, span, wrapLine, type Line } from './lines.js';
import { messages } from './messages.js';
import { questionView, type QuestionView } from './question-lines.js';
import type { Scheduler } from './scheduler.js';
import type { Look } from './theme.js';

/** The session around the question: where it is shown, and what happens to a run. */
export interface QuestionHost {
  look(): Look;
  print(lines: readonly Line[]): void;
  /** Something changed: draw the region again. */
  redraw(): void;
  /** When the keyboard was last used. */
  lastInputAt(): number;
  interrupt(): void;
  /** Rows that a question's body may take. */
  bodyRows(answerRows: number): number;
}

export interface TerminalApprovalsOptions {
  readonly host: QuestionHost;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Asks other people, for verdict `approve`; absent = there is nobody to ask. */
  readonly askOthers?: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;
}

/** Rows below which a longer body is not shown at all: two say what is hidden, one shows something. */
const SMALLEST_BODY = 3;

interface Open {
  readonly request: ApprovalRequest;
  readonly settle: (answer: ApprovalAnswer) => void;
  state: ConfirmState;
  shownAt: number;
}

/** Asks the person at the keyboard, one question at a time. Nothing but an answer of their own is ever a yes. */
export class TerminalApprovals extends ApprovalChannel {
  private queue: Promise<unknown> = Promise.resolve();
  private open: Open | null = null;

  constructor(private readonly options: TerminalApprovalsOptions) {
    super();
  }

  override ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (request.decision.verdict === 'approve') {
      const { askOthers } = this.options;
      if (askOthers !== undefined) return askOthers(request, signal);
      return Promise.resolve({ kind: 'no', reason: messages.question.nobodyToAsk });
    }
    // Two calls may ask at once; the second question waits until the first is answered.
    const mine = this.queue.then(() => this.askNow(request, signal));
    this.queue = mine.catch(() => undefined);
    return mine;
  }

  isOpen(): boolean {
    return this.open !== null;
  }

  /** Input while a question is open; returns what was not for it. */
  input(event: InputEvent): InputEvent | null {
    const { open } = this;
    if (open === null) return event;
    const step = confirmStep(
      open.state,
      { type: 'input', input: event, at: this.options.clock.now() },
      this.rules(open),
    );
    open.state = step.state;
    this.afterStep(open);
    return step.passed;
  }

  /** Plain mode: a whole line. False = the line is no answer and belongs to the prompt. */
  inputLine(text: string): boolean {
    const { open, options } = this;
    if (open === null) return false;
    if (text.trim() === '') return true;
    if (options.clock.now() - open.shownAt < REST_MS) return false;
    const answer = answerOfLine(text, this.rules(open));
    if (answer !== null) {
      this.settle(open, answer, false);
      return true;
    }
    const keys = this.viewOf(open.request).answers.at(-1) ?? [];
    options.host.print([line(`  ${messages.question.notAnAnswer}; ${lineText(keys).trim()}`)]);
    return true;
  }

  /** Rows of the open question for the region. */
  lines(): Line[] {
    const { open } = this;
    if (open === null) return [];
    const view = this.viewOf(open.request);
    const footer = this.footer(open, view);
    const room = this.options.host.bodyRows(footer.length + 1);
    // Without room for the command it cannot be read, so it cannot be answered with yes: the state never sees its end.
    if (room < Math.min(SMALLEST_BODY, view.body.length)) {
      return [view.head, line(span(`  ${messages.question.tooSmall}`, 'asks'))];
    }
    const fits = view.body.length <= room;
    // The rows that say how much is hidden come out of the same room.
    const rows = fits ? view.body.length : room - 2;
    this.layOut(open, view.body.length, rows);
    const { scroll } = open.state;
    const body = view.body.slice(scroll, scroll + rows);
    const below = view.body.length - scroll - body.length;
    return [
      view.head,
      ...(scroll > 0 ? [line(span(`  ${messages.question.scrolledAbove(scroll)}`, 'meta'))] : []),
      ...body,
      ...(below > 0 ? [this.belowLine(below)] : []),
      ...footer,
    ];
  }

  private layOut(open: Open, bodyRows: number, windowRows: number): void {
    open.state = confirmStep(open.state, { type: 'layout', bodyRows, windowRows }, this.rules(open)).state;
  }

  private belowLine(hidden: number): Line {
    const { unicode } = this.options.host.look();
    const text = unicode ? messages.question.scroll(hidden) : messages.question.scrollAscii(hidden);
    return line(span(`  ${text}`, 'asks'));
  }

  /** Where the person writes, when that is in the question: row and text before the cursor. */
  ownsCursor(): boolean {
    const kind = this.open?.state.phase.kind;
    return kind === 'reason' || (kind === 'open' && this.typed() !== '');
  }

  private typed(): string {
    const phase = this.open?.state.phase;
    return phase?.kind === 'open' ? phase.typed : '';
  }

  private async askNow(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted();
    const { host, clock } = this.options;
    const listening = new AbortController();
    try {
      return await new Promise<ApprovalAnswer>((resolve, reject) => {
        const now = clock.now();
        // A question that comes up while nobody types still waits a moment: the hand may be on its way to a key.
        const state = openConfirm(Math.max(host.lastInputAt(), now));
        const open: Open = { request, settle: resolve, state, shownAt: now };
        this.open = open;
        const onAbort = (): void => {
          if (this.open === open) this.close(open, messages.question.answered.aborted);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort, { once: true, signal: listening.signal });
        if (host.look().plain) this.printWhole(open);
        this.tickLater(open);
        host.redraw();
      });
    } finally {
      listening.abort();
    }
  }

  private tickLater(open: Open): void {
    if (open.state.phase.kind !== 'resting') return;
    const wait = Math.max(1, open.state.phase.since + REST_MS - this.options.clock.now());
    this.options.scheduler(wait, () => {
      if (this.open !== open) return;
      open.state = confirmStep(
        open.state,
        { type: 'tick', at: this.options.clock.now() },
        this.rules(open),
      ).state;
      this.options.host.redraw();
      this.tickLater(open);
    });
  }

  private afterStep(open: Open): void {
    const { phase } = open.state;
    if (phase.kind === 'answered') this.settle(open, phase.answer, phase.interrupt);
    else {
      if (phase.kind === 'resting') this.tickLater(open);
      this.options.host.redraw();
    }
  }

  private settle(open: Open, answer: ApprovalAnswer, interrupt: boolean): void {
    this.close(open, answeredText(answer));
    open.settle(answer);
    if (interrupt) this.options.host.interrupt();
  }

  /** The question goes into the transcript with its answer, so that it can be read up later. */
  private close(open: Open, outcome: string): void {
    this.open = null;
    const view = this.viewOf(open.request);
    const look = this.options.host.look();
    const head = wrapLine(line(...view.head, look.marks.dot, span(outcome, 'strong')), look.columns, '  ');
    this.options.host.print(
      look.plain ? [line(`${messages.labels.note} ${outcome}`)] : [...head, ...view.body],
    );
    this.options.host.redraw();
  }

  private printWhole(open: Open): void {
    const view = this.viewOf(open.request);
    this.options.host.print([view.head, ...view.body, ...view.answers]);
  }

  private footer(open: Open, view: QuestionView): Line[] {
    const { phase } = open.state;
    switch (phase.kind) {
      case 'reason':
        return [line(span(`  ${messages.question.reason}`, 'meta')), line(`  ${phase.text}`)];
      case 'resting':
        return [...view.answers, line(span(`  ${messages.question.typing}`, 'meta'))];
      case 'open': {
        const hint = { 'read-first': messages.question.readFirst, 'type-yes': messages.question.typeYes };
        const heeded = phase.hint === 'read-first' && open.state.seenEnd;
        const below = phase.hint === null || heeded ? '' : hint[phase.hint];
        const typed = phase.typed === '' ? [] : [line('  ', span(phase.typed, 'strong'))];
        return [...view.answers, ...(below === '' ? [] : [line(span(`  ${below}`, 'asks'))]), ...typed];
      }
      case 'answered':
        return [];
    }
  }

  private viewOf(request: ApprovalRequest): QuestionView {
    return questionView(request, this.options.host.look(), this.options.clock.now());
  }

  private rules(open: Open): { destructive: boolean; trustOffered: boolean } {
    const destructive = open.request.decision.facts.callRisk === 'destructive';
    return { destructive, trustOffered: open.request.decision.trustOffer.offered && !destructive };
  }
}

function answeredText(answer: ApprovalAnswer): string {
  const { answered } = messages.question;
  switch (answer.kind) {
    case 'once':
      return answered.once;
    case 'always':
      return answered.always;
    case 'no':
      return answer.reason === undefined ? answered.no : `${answered.no}: ${answer.reason}`;
    case 'never':
      return answered.never;
    case 'approved':
    case 'parked':
      return '';
  }
}
