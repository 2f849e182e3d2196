import { messageOf, type ApprovalChannel, type Disposer } from '@wrongstack/contracts';
import type { Suggestion } from './completion.js';
import { editorOf, editorStep, withDraft, withFiles, type EditorEffect, type EditorState } from './editor.js';
import { composeRegion, rowsBelowQuestion } from './compose-region.js';
import { errorFacts, errorLines } from './error-lines.js';
import { listenToEvents } from './event-source.js';
import { FrameClock } from './frame-clock.js';
import { keyLines } from './help-text.js';
import { historyOf } from './history.js';
import { listenForKeys } from './key-source.js';
import type { InputEvent } from './key.js';
import { listenForLines } from './line-source.js';
import { line, span, wrapLine, type Line } from './lines.js';
import { LiveScreen } from './live-screen.js';
import { messageLines } from './message-lines.js';
import { messages } from './messages.js';
import { Prompts } from './prompts.js';
import { PlainScreen } from './plain-screen.js';
import { RunView } from './run-view.js';
import type { Screen } from './screen.js';
import { bannerLines } from './status-lines.js';
import { type Submission, Submissions } from './submissions.js';
import { TerminalApprovals } from './terminal-approvals.js';
import type { StartTerminalOptions } from './terminal-options.js';
import { createTheme, lookOf, type Look, type Theme } from './theme.js';

const QUIT_WINDOW_MS = 2_000;
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

/** The interactive session: wires keys, editor, question, transcript and region. Logic is in the pieces. */
export class TerminalSession {
  readonly approvals: ApprovalChannel;
  /** Questions of the app itself: the profile, which session to resume. */
  readonly prompts: Prompts;
  private readonly questions: TerminalApprovals;
  private readonly view: RunView;
  private readonly screen: Screen;
  private readonly theme: Theme;
  private readonly submissions: Submissions;
  private readonly disposers: Disposer[] = [];
  private readonly frames: FrameClock;
  private caps: StartTerminalOptions['caps'];
  private editor: EditorState;
  private lastInputAt = Number.NEGATIVE_INFINITY;
  private ctrlCAt = Number.NEGATIVE_INFINITY;
  private hint: string | null = null;
  private stopKeys: Disposer | null = null;
  private interrupting = false;
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
        bodyRows: (answerRows) =>
          this.caps.rows - 1 - rowsBelowQuestion(this.editor, this.look(), this.caps.rows) - answerRows,
      },
      clock,
      scheduler,
      ...(options.askOthers === undefined ? {} : { askOthers: options.askOthers }),
    });
    this.frames = new FrameClock(scheduler, () => {
      this.view.nextFrame();
      this.redraw();
    });
    this.approvals = this.questions;
    this.prompts = new Prompts({
      clock,
      look: () => this.look(),
      shown: (lines) => (this.caps.plain ? this.screen.print(lines) : undefined),
      redraw: () => this.redraw(),
    });
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

  /** Work that is no run takes a message's place: it is seen to go on, and Esc ends it. */
  async during<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.view.working(what);
    try {
      return await this.submissions.during(work);
    } finally {
      this.view.working(null);
      this.redraw();
    }
  }

  isBusy(): boolean {
    return this.submissions.isBusy();
  }

  /** Go on with what a resumed session left open, like a message that nobody has to type. */
  goOn(): void {
    this.submissions.add(null);
  }

  /** Esc or Ctrl-C, also for SIGINT in plain mode. */
  interrupt(): void {
    if (!this.submissions.isBusy()) return this.idleInterrupt();
    // A run that does not end when asked must not keep the person here.
    if (this.interrupting) return this.idleInterrupt();
    this.interrupting = true;
    this.options.onInterrupt();
    this.view.interrupted();
    const { text } = this.editor.draft;
    const back = this.submissions.takeBack(text === '');
    if (back !== '') this.editor = withDraft(this.editor, text === '' ? back : `${back}\n${text}`);
    this.redraw();
  }

  /** Puts the terminal back as it was. Safe to call twice, and from an exit handler. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.frames.stop();
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
    const rest = this.inputForDraft(event, at);
    this.lastInputAt = at;
    for (const one of rest) this.edit(one);
    this.redraw();
  }

  /** What an open question leaves of it. */
  private inputForDraft(event: InputEvent, at: number): readonly InputEvent[] {
    if (this.questions.isOpen()) {
      const rest = this.questions.input(event);
      return rest === null ? [] : [rest];
    }
    return this.prompts.top()?.input(event, at, this.editor.draft.text === '') ?? [event];
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
        if (this.submissions.isBusy() && !this.interrupting) this.interrupt();
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
        return this.screen.print(keyLines());
    }
  }

  private submit(text: string): void {
    this.view.seen();
    if (!/^\/[a-z]/i.test(text)) return this.submissions.add(text);
    const [name = '', ...args] = text.slice(1).split(/\s+/);
    this.printYou(text);
    const answered = this.options
      .onCommand(name, args, text)
      // That it was interrupted has been said.
      .catch((thrown: unknown) => (this.interrupting ? undefined : this.printError(thrown)))
      .finally(() => (this.interrupting &&= this.submissions.isBusy()));
    void this.submissions.command(answered);
  }

  private async work(text: Submission): Promise<void> {
    if (text !== null) this.printYou(text);
    try {
      await this.options.onSubmit(text);
    } catch (thrown) {
      this.printError(thrown);
    }
    this.interrupting = false;
  }

  private printYou(text: string): void {
    // The plain terminal has echoed it already.
    if (this.caps.plain) return;
    this.screen.print(messageLines(text, this.look()));
  }

  private onLines(lines: readonly string[]): void {
    const [only = ''] = lines;
    this.screen.prompt(null);
    this.onText(lines, only);
    this.redraw();
  }

  private onText(lines: readonly string[], only: string): void {
    if (lines.length === 1) {
      if (this.questions.inputLine(only)) return;
      if (this.prompts.top()?.line(only) === true) return;
    }
    const text = lines.join('\n').trim();
    if (text === '') return;
    if (this.questions.isOpen())
      this.screen.print([line(`${messages.labels.note} ${messages.question.typedAhead}`)]);
    this.options.onHistory?.(text);
    this.submit(text);
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
    void this.prompts
      .choose(title, [{ key: 'k', word: 'stop', text: messages.session.stopAndQuit }], messages.session.stay)
      .then((answer) => (answer === null ? undefined : this.options.onQuit()));
  }

  private redrawPlain(): void {
    const asked = this.questions.isOpen() || this.prompts.top() !== null;
    this.screen.waiting(asked ? null : this.view.waitingText());
    // What a command answers comes first, or it would stand behind a prompt.
    if (asked || !(this.submissions.isBusy() || this.submissions.isAnswering()))
      this.screen.prompt(messages.labels.you);
  }

  private redraw(): void {
    if (this.closed || this.released) return;
    if (this.caps.plain) return this.redrawPlain();
    const look = this.look();
    this.screen.setRegion(
      composeRegion({
        look,
        rows: this.caps.rows,
        now: this.options.clock.now(),
        question: this.questions.lines(),
        questionOwnsCursor: this.questions.ownsCursor(),
        live: [...this.view.liveLines(), ...this.prompts.lines(look)],
        tasks: this.view.taskList(),
        queued: this.submissions.queued(),
        editor: this.editor,
        status: this.options.status(),
        hint: this.hint,
      }),
    );
    this.frames.follow(this.view.pace());
  }
}
