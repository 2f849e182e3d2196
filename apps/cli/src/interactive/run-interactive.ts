import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { WrongStackError } from '@wrongstack/contracts';
import { nearNames } from '@wrongstack/kernel';
import { findFiles } from '../app/find-files.js';
import type { Host } from '../app/host.js';
import { onInterrupt } from '../app/on-interrupt.js';
import { LocatedDiffs } from '../app/located-diffs.js';
import { currentBranch } from '../app/current-branch.js';
import { laxNotices } from '../app/startup-notices.js';
import { terminalIo } from '../app/terminal-io.js';
import { updateUserConfig } from '../app/user-config.js';
import { viewsOfHost } from '../actions/run-output.js';
import { EXIT } from '../exit-codes.js';
import type { TerminalCaps } from '../terminal/caps.js';
import { line, type Line, span } from '../terminal/lines.js';
import { decidedAgainLine } from '../terminal/list-lines.js';
import { messages } from '../terminal/messages.js';
import { openCallLines } from '../terminal/open-call-lines.js';
import { SessionReplay } from '../terminal/replay-lines.js';
import { systemScheduler } from '../terminal/scheduler.js';
import { resumeLine, summaryLines } from '../terminal/summary-lines.js';
import { startTerminal } from '../terminal/start-terminal.js';
import type { TerminalSession } from '../terminal/terminal-session.js';
import { VERSION } from '../version.js';
import { askBefore, askedHereBy } from './ask-here.js';
import { type AgentState, readState, writeState } from './agent-state.js';
import { InteractiveSession } from './interactive-session.js';
import { LiveTasks, taskEndLine } from './live-tasks.js';
import { type SessionScreen, slashCommands } from './slash-commands.js';

const REPLAYED_LINES = 60;

/** Hold an interactive session until the person leaves. */
export async function runInteractive(
  host: Host,
  caps: TerminalCaps,
  resume: string | true | undefined,
): Promise<number> {
  const state = await readState(host.request.paths.state);
  const history = [...state.history];
  const [session, branch, { yolo }, unread] = await Promise.all([
    InteractiveSession.start(host, resume, (other) => askBefore(host, caps, other)),
    currentBranch(host.request.projectRoot),
    host.policy.locks(host.request.projectRoot),
    host.unreadPolicies(),
  ]);
  // Here they are asked about, and not only told of.
  host.extensions.asksAboutPlugins = true;
  const tasks = new LiveTasks(host);
  // The end of each run says how to go on with the session.
  let hinted: string | null = null;
  return new Promise<number>((resolve, reject) => {
    const leave = (): void => {
      stopSignals();
      tasks.close();
      const { id } = session.open.log;
      if (session.worked && hinted !== id) terminal.print([resumeLine(id)]);
      terminal.close();
      session
        .close()
        .then(() => host.tasks.close())
        .then(() => writeState(host.request.paths.state, { profileAsked: true, history }))
        .then(() => resolve(EXIT.done), reject);
    };
    const terminal: TerminalSession = startTerminal({
      io: terminalIo(),
      caps,
      clock: host.clock,
      scheduler: systemScheduler,
      home: host.request.environment.home,
      views: viewsOfHost(host),
      events: host.kernel.events,
      banner: {
        version: VERSION,
        folder: host.request.cwd,
        branch: branch ?? null,
        policy: session.policy,
        yoloLocked: yolo === 'off',
        ignoredKeys: host.ignoredConfig.length,
      },
      status: () => session.status(),
      commands: () => host.kernel.slashCommands.list(),
      findFiles: (prefix) => findFiles(host.request.cwd, prefix),
      history,
      onHistory: (text) => history.push(text),
      // What went wrong was shown when it happened.
      onSubmit: async (text) => {
        const result = await session.run(text);
        hinted = result.session;
        terminal.print(summaryLines(result, terminal.look()));
      },
      onCommand: (name, args) => runCommand(session, terminal, name, args),
      onInterrupt: () => session.interrupt(),
      onToggleMode: () => {
        host.control.mode = host.control.mode === 'plan' ? 'default' : 'plan';
        terminal.refresh();
      },
      onBackground: () => tasks.sendToBackground(),
      canBackground: (name) => tasks.canBackground(name),
      runningTasks: () => tasks.running,
      editExternally: (text) => editExternally(text, host),
      onQuit: leave,
    });
    for (const notice of laxNotices(host, unread)) terminal.print([line(span(`! ${notice}`, 'asks'))]);
    const stopSignals = onInterrupt(leave);
    tasks.onEnd((task) => {
      void taskEndLine(host.tasks, task, terminal.look()).then((row) => terminal.print([row]));
    });
    host.approvals.use(new LocatedDiffs(terminal.approvals));
    for (const command of slashCommands(session, screenOf(session, terminal, leave))) {
      host.kernel.slashCommands.register(command);
    }
    void firstQuestions(host, terminal, state)
      .then(() => askAboutProjectPlugins(host, terminal))
      .catch((error: unknown) => terminal.printError(error));
    goOnWith(session, terminal).catch((error: unknown) => terminal.printError(error));
  });
}

function screenOf(session: InteractiveSession, terminal: TerminalSession, quit: () => void): SessionScreen {
  return {
    refresh: () => terminal.refresh(),
    look: () => terminal.look(),
    pickSession: (sessions) => terminal.prompts.pickSession(sessions),
    askedHere: askedHereBy(terminal),
    goOn: () => goOnWith(session, terminal),
    quit,
    during: (what, work) => terminal.during(what, work),
  };
}

/** Shows where a resumed session was, and goes on where its process ended in the middle. */
async function goOnWith(session: InteractiveSession, terminal: TerminalSession): Promise<void> {
  const { replayed } = session.open;
  if (replayed === null) return;
  await showReplay(session, terminal);
  if (!replayed.interrupted) return;
  for (const { use, started, masked } of replayed.conversation.pending) {
    if (started || masked) continue;
    terminal.print([decidedAgainLine(use.name, session.policy.revision, terminal.look())]);
  }
  terminal.goOn();
}

/** The end of a resumed session's transcript: enough to know where one was. */
async function showReplay({ host, open }: InteractiveSession, terminal: TerminalSession): Promise<void> {
  const [views, look] = [viewsOfHost(host), terminal.look()];
  const replay = new SessionReplay(views, look);
  let lines: readonly Line[] = [];
  for await (const entry of open.log.entries()) {
    lines = [...lines, ...replay.linesOf(entry)].slice(-REPLAYED_LINES);
  }
  const { replayed } = open;
  const left = replayed === null ? [] : openCallLines(replayed.conversation, 'being resumed', views, look);
  terminal.print([...lines, ...left]);
}

async function runCommand(
  { host, open }: InteractiveSession,
  terminal: TerminalSession,
  name: string,
  args: readonly string[],
): Promise<void> {
  const command = host.kernel.slashCommands.get(name);
  if (command === undefined) {
    const known = host.kernel.slashCommands.list().map((one) => one.name);
    const near = nearNames(name, known).map((one) => `/${one}`);
    throw new WrongStackError('usage.command', `no command /${name}`, {
      hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : '/help lists them',
    });
  }
  const answer = await command.execute({ args, ctx: open.agent.context() });
  if (answer?.message !== undefined) terminal.printText(answer.message);
}

/** The profile is asked about once, and never where a policy has fixed it. */
async function firstQuestions(host: Host, terminal: TerminalSession, state: AgentState): Promise<void> {
  const locks = await host.policy.locks(host.request.projectRoot);
  if (state.profileAsked || locks.profile !== null || host.config.current.policy.profile !== undefined)
    return;
  const profile = await terminal.prompts.chooseProfile();
  if (profile === null) return;
  await updateUserConfig(host.request.paths.userConfig, ['policy', 'profile'], profile);
  host.config.update({ policy: { profile } });
  terminal.printText(`profile ${profile}: ${messages.profile[profile]}`);
}

/** Loaded only where there are plugins at all. */
async function askAboutProjectPlugins({ extensions }: Host, terminal: TerminalSession): Promise<void> {
  const { plugins } = extensions;
  if (plugins === null || plugins.untrusted().length === 0) return;
  const { askAboutPlugins } = await import('./plugin-question.js');
  await askAboutPlugins(plugins, terminal);
}

/** `$VISUAL` or `$EDITOR` on a private file. Null when it was left as it was. */
async function editExternally(text: string, { request }: Host): Promise<string | null> {
  const editor = request.environment.variable('VISUAL') ?? request.environment.variable('EDITOR') ?? 'vi';
  const folder = await mkdtemp(path.join(request.paths.scratch, 'draft-'));
  const file = path.join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const [program = 'vi', ...args] = editor.split(' ').filter((word) => word !== '');
    const { error, status } = spawnSync(program, [...args, file], { stdio: 'inherit' });
    if (error !== undefined) throw error;
    const edited = await readFile(file, 'utf8');
    return status !== 0 || edited === text ? null : edited;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
