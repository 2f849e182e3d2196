import { type ApprovalAnswer, ApprovalChannel, type ApprovalRequest } from '@wrongstack/contracts';
import { viewsOfHost } from '../actions/run-output.js';
import type { Host } from '../app/host.js';
import type { TerminalCaps } from '../terminal/caps.js';
import { listenToEvents } from '../terminal/event-source.js';
import { line, type Line, span } from '../terminal/lines.js';
import { messages } from '../terminal/messages.js';
import { PlainScreen } from '../terminal/plain-screen.js';
import { questionView } from '../terminal/question-lines.js';
import { RunView } from '../terminal/run-view.js';
import { systemScheduler } from '../terminal/scheduler.js';
import { createTheme, type Look, lookOf } from '../terminal/theme.js';

/** Where a demonstration is shown. */
export interface Stage {
  look(): Look;
  print(lines: readonly Line[]): void;
  close(): void;
}

/** Without a terminal: lines on stdout, and the script answers what a person would be asked. */
export function plainStage(host: Host, caps: TerminalCaps): Stage {
  const theme = createTheme(caps);
  const look = (): Look => lookOf(caps, theme, host.request.environment.home);
  const { clock } = host;
  const screen = new PlainScreen({ output: process.stdout, theme, clock, scheduler: systemScheduler });
  const print = (lines: readonly Line[]): void => screen.print(lines);
  const view = new RunView({ look, clock, views: viewsOfHost(host), print });
  const stop = listenToEvents(host.kernel.events, (event) => view.handle(event));
  host.approvals.use(new ScriptedYes(host, look, print));
  return {
    look,
    print,
    close() {
      stop();
      screen.close();
    },
  };
}

/** Shows the whole question, then says yes once and says that it was the script. */
class ScriptedYes extends ApprovalChannel {
  constructor(
    private readonly host: Host,
    private readonly look: () => Look,
    private readonly print: (lines: readonly Line[]) => void,
  ) {
    super();
  }

  override async ask(request: ApprovalRequest): Promise<ApprovalAnswer> {
    const { head, body } = questionView(request, this.look(), this.host.clock.now());
    const answer = `  ${messages.labels.you} ${messages.question.scripted}`;
    this.print([head, ...body, line(span(answer, 'strong'))]);
    return { kind: 'once' };
  }
}
