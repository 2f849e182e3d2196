import { messageOf, type ApprovalChannel, type Disposer, type SessionSummary } from '@wrongstack/contracts';
import type { Suggestion } from './completion.js';
import { editorOf, editorStep, withDraft, withFiles, type EditorEffect, type EditorState } from './editor.js';
import { editorView } from './editor-view.js';
import { errorFacts, errorLines } from './error-lines.js';
import { listenToEvents } from './event-source.js';
import { KEYS } from './help-text.js';
import { historyOf } from './history.js';
import { listenForKeys } from './key-source.js';
import type { InputEvent } from './key.js';
import { listenForLines } from './line-source.js';
import { indented, line, lineWidth, span, wrapLine, type Line } from './lines.js';
import { sessionTable } from './list-lines.js';
import { LiveScreen } from './live-screen.js';
import { messages } from './messages.js';
import { ChoiceOverlay, OverlayStack, PickOverlay, type Choice } from './overlay.js';
import { PlainScreen } from './plain-screen.js';
import { RunView } from './run-view.js';
import type { Region, Screen } from './screen.js';
import { bannerLines, ruleLine, statusLine, tasksLine } from './status-lines.js';
import { Submissions } from './submissions.js';
import { TerminalApprovals } from './terminal-approvals.js';
import type { StartTerminalOptions } from './terminal-options.js';
import { createTheme, lookOf, type Look, type Theme } from './theme.js';

const FRAME_MS = 125;
const QUIT_WINDOW_MS = 2_000;
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

/** The interactive session: wires keys, editor, question, transcript and region. Logic is in the pieces. */
export class TerminalSession {
  readonly approvals: ApprovalChannel;
  private readonly questions: TerminalApprovals;
  private readonly view: RunView;
  private readonly screen: Screen;
  private readonly theme: Theme;
  private readonly overlays = new OverlayStack();
  private readonly submissions: Submissions;
  private readonly disposers: Disposer[] = [];
  private caps: StartTerminalOptions['caps'];
  private editor: EditorState;
  private lastInputAt = Number.NEGATIVE_INFINITY;
  private ctrlCAt = Number.NEGATIVE_INFINITY;
  private hint: string | null = null;
  private stopKeys: Disposer | null = null;
  private frame: Disposer | null = null;
  private closed = false;
  private released = false;

  constructor(private readonly options: StartTerminalOptions) {
    const { caps, clock, scheduler, io } = options;
    this.caps = caps;
    this.theme = createTheme(caps);
    const screenOptions = { output: io.output, caps, theme: this.theme, clock, scheduler };
    this.screen = caps.plain ? new PlainScreen(screenOptions) : new LiveScreen(screenOptions);
    this.editor = editorOf(historyOf(options.history ?? []));
    this.submissions = new Submissions(
      (text) => this.work(text),
      () => this.redraw(),
    );
    this.view = new RunView({
      look: () => this.look(),
      clock,
      views: options.views,
      print: (lines) => this.screen.print(lines),
      ...(options.canBackground === undefined ? {} : { canBackground: options.canBackground }),
    });
    this.questions = new TerminalApprovals({
      host: {
        look: () => this.look(),
        print: (lines) => this.screen.print(lines),
        redraw: () => this.redraw(),
        lastInputAt: () => this.lastInputAt,
        interrupt: () => this.interrupt(),
        bodyRows: (answerRows) => this.caps.rows - 1 - this.footRows() - answerRows,
      },
      clock,
      scheduler,
      ...(options.askOthers === undefined ? {} : { askOthers: options.askOthers }),
    });
    this.approvals = this.questions;
  }

  start(): void {
    const { banner, events, io } = this.options;
    if (banner !== null) this.screen.print(bannerLines(banner, this.look()));
    this.disposers.push(
      listenToEvents(events, (event) => {
        this.view.handle(event);
        this.redraw();
      }),
      io.onResize((size) => {
        this.caps = { ...this.caps, ...size };
        this.screen.resize(this.caps);
        this.redraw();
      }),
    );
    this.listen();
    this.redraw();
  }

  look(): Look {
    return lookOf(this.caps, this.theme, this.options.home);
  }

  print(lines: readonly Line[]): void {
    this.screen.print(lines);
    this.redraw();
  }

  /** Text of the app itself, such as a slash command's answer. */
  printText(text: string): void {
    const { columns } = this.look();
    this.print(text.split('\n').flatMap((row) => wrapLine(line(row), columns, '  ')));
  }

  printError(thrown: unknown): void {
    this.print(errorLines(errorFacts(thrown), this.look()));
  }

  setDraft(text: string): void {
    this.editor = withDraft(this.editor, text);
    this.redraw();
  }

  /** The app's state changed (mode, model, cost): draw the status line again. */
  refresh(): void {
    this.redraw();
  }

  isBusy(): boolean {
    return this.submissions.isBusy();
  }

  /** A question with letters for answers; null = Esc. */
  choose(title: string, choices: readonly Choice[], escapeText: string): Promise<string | null> {
    return this.overlay(
      (done) => new ChoiceOverlay(title, choices, escapeText, this.options.clock.now(), done),
    );
  }

  /** The one question of the first start; null = later. */
  chooseProfile(): Promise<'guide' | 'balanced' | 'strict' | null> {
    const { profile } = messages;
    const choices: Choice[] = [
      { key: 'g', word: 'guide', text: profile.guide },
      { key: 'b', word: 'balanced', text: profile.balanced },
      { key: 's', word: 'strict', text: profile.strict },
    ];
    // The words are exactly those of the choices above.
    return this.choose(profile.title, choices, profile.later) as Promise<
      'guide' | 'balanced' | 'strict' | null
    >;
  }

  pickSession(sessions: readonly SessionSummary[]): Promise<string | null> {
    const now = this.options.clock.now();
    const values = sessions.map((session) => session.id);
    return this.overlay((done) => new PickOverlay(values, (look) => sessionTable(sessions, now, look), done));
  }

  /** Esc or Ctrl-C, also for SIGINT in plain mode. */
  interrupt(): void {
    if (!this.submissions.isBusy()) return this.idleInterrupt();
    this.options.onInterrupt();
    const text = this.submissions.takeBack();
    this.view.interrupted();
    if (this.editor.draft.text === '') this.editor = withDraft(this.editor, text);
    this.redraw();
  }

  /** Puts the terminal back as it was. Safe to call twice, and from an exit handler. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.frame?.();
    for (const dispose of this.disposers.reverse()) dispose();
    this.unlisten();
    this.screen.close();
  }

  private listen(): void {
    const { io } = this.options;
    if (this.caps.plain) {
      this.stopKeys = listenForLines(
        io.input,
        (lines) => this.onLines(lines),
        () => this.options.onQuit(),
      );
      return;
    }
    io.output.write(PASTE_ON);
    this.stopKeys = listenForKeys(io.input, (event) => this.onInput(event));
  }

  private unlisten(): void {
    if (this.stopKeys === null) return;
    this.stopKeys();
    this.stopKeys = null;
    if (!this.caps.plain) this.options.io.output.write(PASTE_OFF);
  }

  private onInput(event: InputEvent): void {
    const at = this.options.clock.now();
    this.hint = null;
    let rest: InputEvent | null = event;
    if (this.questions.isOpen()) rest = this.questions.input(event);
    else rest = this.overlays.top()?.input(event, at) ?? (this.overlays.top() === null ? event : null);
    this.lastInputAt = at;
    if (rest !== null) this.edit(rest);
    this.redraw();
  }

  private edit(event: InputEvent): void {
    const step = editorStep(this.editor, event, this.suggestions());
    this.editor = step.state;
    for (const effect of step.effects) this.onEffect(effect);
  }

  private suggestions(): Suggestion[] {
    return this.options.commands().map(({ name, description }) => ({ value: name, description }));
  }

  private onEffect(effect: EditorEffect): void {
    switch (effect.kind) {
      case 'submit':
        this.options.onHistory?.(effect.text);
        return this.submit(effect.text);
      case 'files':
        return this.findFiles(effect.prefix);
      case 'escape':
        if (this.submissions.isBusy()) this.interrupt();
        return;
      case 'interrupt':
        return this.interrupt();
      case 'quit':
        return this.quit();
      case 'expand':
        return this.expand();
      case 'background':
        this.options.onBackground?.();
        return;
      case 'external':
        void this.editExternally();
        return;
      case 'mode':
        this.options.onToggleMode();
        return;
      case 'help':
        return this.screen.print(
          KEYS.map(([key, meaning]) => line('  ', span(key.padEnd(34), 'strong'), meaning)),
        );
    }
  }

  private submit(text: string): void {
    if (!/^\/[a-z]/i.test(text)) return this.submissions.add(text);
    const [name = '', ...args] = text.slice(1).split(/\s+/);
    this.printYou(text);
    this.options.onCommand(name, args, text).catch((thrown: unknown) => this.printError(thrown));
  }

  private async work(text: string): Promise<void> {
    this.printYou(text);
    try {
      await this.options.onSubmit(text);
    } catch (thrown) {
      this.printError(thrown);
    }
  }

  private printYou(text: string): void {
    // The plain terminal has echoed it already.
    if (this.caps.plain) return;
    const rows = text
      .split('\n')
      .flatMap((row) => wrapLine(line(span(row, 'strong')), this.look().columns - 2, ''));
    this.screen.print([
      line(),
      ...rows.map((row, index) => indented(row, index === 0 ? '> ' : '  ', 'strong')),
    ]);
  }

  private onLines(lines: readonly string[]): void {
    const [only = ''] = lines;
    if (lines.length === 1) {
      if (this.questions.inputLine(only)) return;
      if (this.overlays.top()?.line(only) === true) return;
    }
    const text = lines.join('\n').trim();
    if (text === '') return;
    if (this.questions.isOpen())
      this.screen.print([line(`${messages.labels.note} ${messages.question.typedAhead}`)]);
    this.options.onHistory?.(text);
    this.submit(text);
    this.redraw();
  }

  private findFiles(prefix: string): void {
    this.options.findFiles?.(prefix).then(
      (files) => {
        this.editor = withFiles(this.editor, prefix, files);
        this.redraw();
      },
      // A folder that cannot be listed offers nothing; the person can still type the path.
      () => undefined,
    );
  }

  private expand(): void {
    const full = this.view.takeFolded();
    this.screen.print(full ?? [line(span(messages.running.nothingToExpand, 'meta'))]);
  }

  private async editExternally(): Promise<void> {
    const { editExternally } = this.options;
    if (editExternally === undefined || this.released) return;
    this.released = true;
    this.unlisten();
    this.screen.setRegion({ lines: [], cursor: { row: 0, column: 0 } });
    this.screen.flush();
    try {
      const text = await editExternally(this.editor.draft.text);
      if (text !== null) this.editor = withDraft(this.editor, text.replace(/\n$/, ''));
    } catch (thrown) {
      this.hint = `${messages.session.editorFailed}: ${messageOf(thrown)}`;
    }
    this.released = false;
    if (!this.closed) this.listen();
    this.redraw();
  }

  private idleInterrupt(): void {
    const now = this.options.clock.now();
    if (this.editor.draft.text !== '') this.editor = withDraft(this.editor, '');
    else if (now - this.ctrlCAt < QUIT_WINDOW_MS) return this.quit();
    this.ctrlCAt = now;
    this.hint = messages.session.quitHint;
    if (this.caps.plain) this.screen.print([line(`${messages.labels.note} ${this.hint}`)]);
    this.redraw();
  }

  private quit(): void {
    const running = this.options.runningTasks?.() ?? 0;
    if (running === 0) return this.options.onQuit();
    const title = messages.session.tasksStop(running);
    void this.choose(
      title,
      [{ key: 'k', word: 'stop', text: messages.session.stopAndQuit }],
      messages.session.stay,
    ).then((answer) => (answer === null ? undefined : this.options.onQuit()));
  }

  private overlay<Value extends string>(
    create: (done: (value: Value | null) => void) => ChoiceOverlay | PickOverlay,
  ): Promise<Value | null> {
    return new Promise((resolve) => {
      const overlay = create((value) => {
        remove();
        resolve(value);
        this.redraw();
      });
      const remove = this.overlays.push(overlay);
      if (this.caps.plain) this.screen.print(overlay.lines(this.look()));
      this.redraw();
    });
  }

  // Rule, draft and status: what stays below a question.
  private footRows(): number {
    return 1 + this.draftView().lines.length + 1;
  }

  private draftView(): ReturnType<typeof editorView> {
    const most = this.questions.isOpen() ? 3 : Math.max(1, Math.floor(this.caps.rows / 2));
    return editorView(this.editor, this.look(), most);
  }

  private redraw(): void {
    if (this.closed || this.released) return;
    if (this.caps.plain) return this.screen.waiting(this.questions.isOpen() ? null : this.view.waitingText());
    this.screen.setRegion(this.region());
    if (this.frame === null && this.view.isMoving()) {
      this.frame = this.options.scheduler(FRAME_MS, () => {
        this.frame = null;
        this.view.nextFrame();
        this.redraw();
      });
    }
  }

  private region(): Region {
    const look = this.look();
    const question = this.questions.lines();
    const above =
      question.length > 0
        ? question
        : [...this.view.liveLines(), ...(this.overlays.top()?.lines(look) ?? [])];
    const tasks =
      question.length > 0 ? null : tasksLine(this.view.taskList(), this.options.clock.now(), look);
    const queued = this.submissions
      .queued()
      .map((text) => line(span(`  ${messages.running.queued}: ${text.split('\n')[0] ?? ''}`, 'meta')));
    const draft = this.draftView();
    const status =
      this.hint === null ? statusLine(this.options.status(), look) : line(span(`  ${this.hint}`, 'asks'));
    const head = [
      ...above,
      ...(tasks === null ? [] : [tasks]),
      ruleLine(look),
      ...(question.length > 0 ? [] : queued),
    ];
    const cursor =
      question.length > 0 && this.questions.ownsCursor()
        ? { row: question.length - 1, column: lineWidth(question.at(-1) ?? []) }
        : { row: head.length + draft.cursor.row, column: draft.cursor.column };
    return { lines: [...head, ...draft.lines, status], cursor };
  }
}

/** Starts the interactive session. The app asks `approvals` into the kernel and calls `close()` when it ends. */
export function startTerminal(options: StartTerminalOptions): TerminalSession {
  const session = new TerminalSession(options);
  session.start();
  return session;
}
