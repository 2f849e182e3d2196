import { type SessionSummary, type SlashCommand, WrongStackError } from '@wrongstack/contracts';
import { undoLastChange } from '@wrongstack/kernel';
import { tasksText } from './tasks-text.js';
import { trustSummary } from '../actions/trust-list.js';
import { diagRows } from '../actions/diag.js';
import { pluginDetails, pluginsText } from '../actions/plugin-report.js';
import { toolsInForce, toolTable } from '../actions/tool-list.js';
import { hasWork } from '../app/open-session.js';
import type { AskedHere } from '../app/other-project.js';
import { budgetLines, budgetReport } from '../budgets/budget-lines.js';
import { updateUserConfig } from '../app/user-config.js';
import { plural } from '../terminal/format.js';
import { line, lineText, type Line, wrapLine } from '../terminal/lines.js';
import { sessionTable } from '../terminal/list-lines.js';
import { messages } from '../terminal/messages.js';
import type { Look } from '../terminal/theme.js';
import { KEYS } from '../terminal/help-text.js';
import { configCommand } from './config-command.js';
import { askException, RecentDenials } from './ask-exception.js';
import type { InteractiveSession } from './interactive-session.js';

/** What commands can do to the screen. */
export interface SessionScreen {
  refresh(): void;
  look(): Look;
  pickSession(sessions: readonly SessionSummary[]): Promise<string | null>;
  /** Whether a session of another project goes on here. */
  readonly askedHere: AskedHere;
  /** Show the session that was resumed, and go on with it. */
  goOn(): Promise<void>;
  quit(): void;
  /** Something that takes a while and that Esc ends. */
  during<T>(what: string, work: () => Promise<T>): Promise<T>;
}

/** The built-in slash commands. Each answers with a message, or acts on the screen. */
export function slashCommands(session: InteractiveSession, screen: SessionScreen): readonly SlashCommand[] {
  const { host } = session;
  const denials = new RecentDenials(host);
  const command = (
    name: string,
    description: string,
    execute: (args: readonly string[]) => Promise<string | undefined> | string | undefined,
  ): SlashCommand => ({
    name,
    description,
    async execute({ args }) {
      const message = await execute(args);
      screen.refresh();
      return message === undefined ? undefined : { message };
    },
  });
  return [
    command('help', 'keys and commands', () => helpText(host.kernel.slashCommands.list(), screen.look())),
    command('tools', 'what the agent can do, and what asks', () =>
      textOf(toolTable(toolsInForce(host), screen.look())),
    ),
    command(
      'policy',
      'which policies are in force; guide, balanced or strict sets how careful; ask d-… asks for an exception',
      ([wanted, id, ...words]) => {
        if (wanted === undefined) return policyText(session, screen.look());
        return wanted === 'ask' ? askException(host, denials, id, words) : switchProfile(session, wanted);
      },
    ),
    command('trust', 'answers stored for this project', () => trustSummary(host, screen.look())),
    command('yolo', 'approve ordinary work unasked: on or off', (args) => switchYolo(session, args)),
    command('mode', 'default or plan', (args) => switchMode(session, args)),
    command('model', 'which model answers', ([model]) => switchModel(session, model)),
    command('clear', 'begin a new session', async () => {
      await session.replaceWith(undefined);
      return `new session ${session.open.log.id}`;
    }),
    command('compact', 'summarise older turns now', async () =>
      // Success announces itself, with its numbers.
      (await screen.during(messages.running.compacting, () => session.open.agent.compact()))
        ? undefined
        : 'nothing to compact: the context is as short as its summary would be',
    ),
    command('sessions', 'sessions of this project', () => sessionsText(session, screen.look())),
    command('resume', 'go on with another session', async ([id]) => {
      if (id === session.open.log.id) return `${id} is this session`;
      const others = id === undefined ? await otherSessions(session) : [];
      if (id === undefined && others.length === 0) return 'no other session of this project';
      const chosen = id ?? (await screen.pickSession(others));
      if (chosen === null) return undefined;
      await session.replaceWith(chosen, screen.askedHere);
      await screen.goOn();
      return undefined;
    }),
    command('tasks', 'background tasks of this session; kill <id> stops one', (args) =>
      tasksText(session, args, screen.look()),
    ),
    command('config', 'the configuration in force; /config <key> <value> changes it', (args) =>
      configCommand(host, args),
    ),
    command('plugins', 'what is loaded; /plugins reload looks at the disk again', ([wanted]) =>
      pluginsText(host, wanted),
    ),
    command('diag', 'what works here and what does not; /diag plugins says more', async ([wanted]) =>
      wanted === 'plugins'
        ? pluginDetails(host)
        : (await diagRows(host))
            .map(
              ({ level, subject, text, next }) =>
                `${level.padEnd(6)}${subject.padEnd(10)}${text}${next === undefined ? '' : ` -> ${next}`}`,
            )
            .join('\n'),
    ),
    command('undo', 'take back the last file change', async () => {
      const { log, scratchDir } = session.open;
      const { restored, deleted } = await undoLastChange(log, { scratchDir, clock: host.clock });
      return [
        ...restored.map((file) => `restored ${file}`),
        ...deleted.map((file) => `deleted ${file}`),
      ].join('\n');
    }),
    command('quit', 'leave', () => {
      screen.quit();
      return undefined;
    }),
  ];
}

function textOf(lines: readonly Line[]): string {
  return lines.map(lineText).join('\n');
}

const NAME_WIDTH = 34;

function helpText(commands: readonly SlashCommand[], look: Look): string {
  const rows = [
    ...KEYS,
    ['', ''] as const,
    ...commands.map(({ name, description }) => [`/${name}`, description] as const),
  ];
  const hanging = ' '.repeat(NAME_WIDTH + 2);
  return textOf(
    rows.flatMap(([name, meaning]) =>
      wrapLine(line(name === '' ? '' : `  ${name.padEnd(NAME_WIDTH)}${meaning}`), look.columns, hanging),
    ),
  );
}

async function policyText({ host, policy }: InteractiveSession, look: Look): Promise<string> {
  const { documents, failure } = await host.documents.load(host.request.projectRoot);
  if (failure !== null)
    return `${failure.file}: ${failure.reason}\nevery call is denied until it is put right`;
  const locks = await host.policy.locks(host.request.projectRoot);
  const profile = locks.profile ?? host.config.current.policy.profile ?? 'guide';
  const central = policy.state === 'none' ? 'no central policy' : `${policy.id ?? ''} ${policy.state}`;
  const rows = documents.map(
    ({ metadata, rules }) =>
      `  ${metadata.id} r${String(metadata.revision)} · ${metadata.scope.tier} · ${plural(rules.length, 'rule')}`,
  );
  const budgets = budgetLines(await budgetReport(host), look).map(lineText);
  return [`${central} · profile ${profile}`, ...rows, ...budgets].join('\n');
}

const PROFILES = ['guide', 'balanced', 'strict'] as const;

async function switchProfile({ host }: InteractiveSession, wanted: string): Promise<string> {
  const profile = PROFILES.find((name) => name === wanted);
  if (profile === undefined) throw badArgument('policy', 'guide, balanced or strict');
  const locks = await host.policy.locks(host.request.projectRoot);
  if (locks.profile !== null && locks.profile !== profile)
    return `policy fixes the profile ${locks.profile}; it stays so`;
  await updateUserConfig(host.request.paths.userConfig, ['policy', 'profile'], profile);
  host.config.update({ policy: { profile } });
  return `profile ${profile}: ${messages.profile[profile]}`;
}

async function switchYolo({ host }: InteractiveSession, [wanted]: readonly string[]): Promise<string> {
  const on = wanted === undefined ? !host.control.yolo : wanted === 'on';
  if (wanted !== undefined && wanted !== 'on' && wanted !== 'off') throw badArgument('yolo', 'on or off');
  const { yolo } = await host.policy.locks(host.request.projectRoot);
  if (on && yolo === 'off') return 'YOLO is locked by policy; it stays off';
  host.control.yolo = on;
  if (!on) return 'YOLO is off';
  return 'YOLO is on: ordinary work runs unasked; destructive calls, protected files and outside paths still ask';
}

function switchMode({ host }: InteractiveSession, [wanted]: readonly string[]): string {
  const mode = wanted ?? (host.control.mode === 'plan' ? 'default' : 'plan');
  if (mode !== 'default' && mode !== 'plan') throw badArgument('mode', 'default or plan');
  host.control.mode = mode;
  return mode === 'plan' ? 'plan mode: the agent reads and thinks, and changes nothing' : 'default mode';
}

function switchModel({ host }: InteractiveSession, model: string | undefined): string {
  if (model === undefined)
    return `${host.config.current.provider.type} ${host.config.current.provider.model}`;
  if (host.config.current.provider.type === 'scripted') return 'a script answers; it has no other model';
  host.config.update({ provider: { model } });
  return `${model} answers from the next message on`;
}

/** What one could go on with: not this session, and none in which nothing was said. */
async function otherSessions({ host, open }: InteractiveSession): Promise<readonly SessionSummary[]> {
  const sessions = await host.sessions.list({ projectRoot: host.request.projectRoot });
  return sessions.filter((one) => one.id !== open.log.id && hasWork(one));
}

async function sessionsText({ host }: InteractiveSession, look: Look): Promise<string> {
  const sessions = await host.sessions.list({ projectRoot: host.request.projectRoot });
  if (sessions.length === 0) return 'no sessions yet';
  return textOf(sessionTable(sessions, host.clock.now(), look));
}

function badArgument(command: string, expected: string): WrongStackError {
  return new WrongStackError('usage.invalid', `/${command} takes ${expected}`);
}
