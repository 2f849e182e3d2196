import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalRequest,
  type EventMap,
  type SessionEntry,
} from '@wrongstack/contracts';
import { type AgentResult, undoLastChange } from '@wrongstack/kernel';
import { type ScriptCall, ScriptedProvider, type ScriptTurn } from '@wrongstack/providers';
import { agentPaths } from './agent-paths.js';
import { boot } from './boot.js';
import type { Host } from './host.js';
import { newSession, type OpenSession } from './open-session.js';
import { readSession } from './read-session.js';

// The whole application boots for each test.
jest.setTimeout(30_000);

/** Says yes to everything, and remembers what it was asked: the strictest test of what a subagent may not do. */
class YesToAll extends ApprovalChannel {
  readonly asked: ApprovalRequest[] = [];

  override async ask(request: ApprovalRequest): Promise<ApprovalAnswer> {
    this.asked.push(request);
    return { kind: 'once' };
  }
}

let root: string;
let project: string;
let host: Host;
let session: OpenSession;
let channel: YesToAll;
let requested: EventMap['tool.requested'][];
let decided: EventMap['tool.decided'][];

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'wstack-subagents-')));
  project = path.join(root, 'project');
  await mkdir(path.join(project, '.git'), { recursive: true });
  await writeFile(path.join(project, 'notes.txt'), 'the answer is 42\n');
});

afterEach(async () => {
  await session.log.close();
  await host.close();
  await rm(root, { recursive: true, force: true });
});

interface Options {
  readonly interactive?: boolean;
  readonly yolo?: boolean;
  readonly mode?: 'default' | 'plan';
  readonly userPolicy?: string;
}

/** Play the turns, the parent's and its subagents' in the order in which they come, on the real application. */
async function play(turns: readonly ScriptTurn[], options: Options = {}): Promise<AgentResult> {
  const home = path.join(root, 'home');
  const agentHome = path.join(home, '.wrongstack');
  if (options.userPolicy !== undefined) {
    await mkdir(agentHome, { recursive: true });
    await writeFile(path.join(agentHome, 'policy.yaml'), options.userPolicy);
  }
  const all = { PATH: process.env['PATH'], HOME: home };
  const environment = {
    home,
    agentHome,
    managedDir: path.join(root, 'managed'),
    variable: (name: string) => (name === 'HOME' ? home : undefined),
    all,
  };
  host = await boot({
    environment,
    paths: agentPaths(environment),
    cwd: project,
    projectRoot: project,
    overrides: {},
    session: {
      mode: options.mode ?? 'default',
      yolo: options.yolo === true,
      interactive: options.interactive !== false,
    },
    debug: false,
    provider: new ScriptedProvider({ turns }),
  });
  channel = new YesToAll();
  host.approvals.use(channel);
  requested = [];
  decided = [];
  host.kernel.events.on('tool.requested', (event) => void requested.push(event));
  host.kernel.events.on('tool.decided', (event) => void decided.push(event));
  session = await newSession(host);
  return session.agent.run('go');
}

const turn = (...calls: readonly ScriptCall[]): ScriptTurn => ({ calls });
const delegate = (input: Record<string, unknown>): ScriptTurn => turn({ tool: 'delegate', input });
const verdictOf = (tool: string): string | undefined =>
  decided.find(({ name }) => name === tool)?.decision.verdict;

async function entriesOf(log: AsyncIterable<SessionEntry>): Promise<readonly SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of log) entries.push(entry);
  return entries;
}

async function delegateResult(): Promise<string> {
  const results = await entriesOf(session.log.entries());
  const entry = results.find(({ type, name }: SessionEntry & { name?: unknown }) => {
    return type === 'tool_result' && name === 'delegate';
  });
  return JSON.stringify(entry);
}

const POLICY = (rules: string, locks = ''): string => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: mine, revision: 1, scope: { tier: user } }
${locks}
rules:
${rules}
`;

const TRIES: readonly ScriptTurn[] = [
  turn(
    { tool: 'read', input: { path: 'notes.txt' } },
    { tool: 'bash', input: { command: 'touch made-by-bash' } },
    { tool: 'fetch', input: { url: 'https://example.com/' } },
    { tool: 'write', input: { path: 'answer.txt', content: '42\n' } },
    { tool: 'delegate', input: { task: 'do it for me' } },
    { tool: 'tool-use', input: { tool: 'bash', input: { command: 'touch made-by-meta' } } },
  ),
  { text: 'It is 42; I could not do the rest.' },
];

describe('a subagent of a person who says yes to everything', () => {
  const run = (options: Options = {}) =>
    play([delegate({ task: 'find the answer', name: 'scout' }), ...TRIES, { text: 'done' }], options);

  it.each([['plain'], ['yolo']])('reads and writes, and gets nothing dangerous: %s', async (mode) => {
    const result = await run({ yolo: mode === 'yolo' });
    expect(Object.fromEntries(decided.map(({ name, decision }) => [name, decision.verdict]))).toMatchObject({
      read: 'allow',
      write: mode === 'yolo' ? 'allow' : 'confirm',
      bash: 'deny',
      fetch: 'deny',
      'tool-use': 'deny',
    });
    expect(existsSync(path.join(project, 'answer.txt'))).toBe(true);
    expect(existsSync(path.join(project, 'made-by-bash'))).toBe(false);
    expect(existsSync(path.join(project, 'made-by-meta'))).toBe(false);
    expect(result).toMatchObject({ status: 'stopped_by_policy', text: 'done' });
    expect(result.denials.map(({ tool }) => tool)).toEqual(['bash', 'fetch', 'delegate', 'tool-use']);
  });

  it('hears which capability each denied call needed, and so does its parent', async () => {
    await run();
    const text = await delegateResult();
    for (const [tool, capability] of [
      ['bash', 'shell.arbitrary'],
      ['fetch', 'net.outbound'],
      ['delegate', 'subagent.spawn'],
      ['tool-use', 'tool.mutate.any'],
    ]) {
      const denied = decided.find(({ name, agent }) => name === tool && agent === 'scout')?.decision;
      expect(denied?.because).toContain(`${capability} is not for subagents`);
      const told = text.split('\\n').find((line) => line.startsWith(`denied ${tool} (`));
      expect(told).toContain(`${capability} is not for subagents`);
    }
    expect(text).toContain('It is 42; I could not do the rest.');
  });

  it('has its file changes undone like those of its parent', async () => {
    await run();
    const { log, scratchDir } = session;
    const undone = await undoLastChange(log, { scratchDir, clock: host.clock });
    expect(undone.deleted).toEqual([path.join(project, 'answer.txt')]);
    expect(existsSync(path.join(project, 'answer.txt'))).toBe(false);
  });

  it('asks through the channel of its parent, by its name', async () => {
    await run();
    expect(channel.asked.map(({ call }) => [call.tool.name, call.actor.subagent])).toEqual([
      ['delegate', null],
      ['write', 'scout'],
    ]);
  });

  it('shows in the stream under its name, in a session that links to its parent', async () => {
    await run();
    const own = requested.filter(({ agent }) => agent === 'scout');
    expect(own.map(({ name }) => name)).toEqual(['read', 'bash', 'fetch', 'write', 'delegate', 'tool-use']);
    const id = own[0]?.session ?? '';
    const [start] = await entriesOf(readSession(host, id));
    expect(start).toMatchObject({
      type: 'session_start',
      session: id,
      parent: { session: session.log.id, name: 'scout' },
    });
    const links = (await entriesOf(session.log.entries())).filter(({ type }) => type === 'subagent');
    expect(links).toMatchObject([
      { name: 'scout', session: id, state: 'started' },
      { name: 'scout', session: id, state: 'ended' },
    ]);
    // It is no session that somebody could resume by mistake.
    expect((await host.sessions.list()).map((one) => one.id)).toEqual([session.log.id]);
  });
});

it('without anybody to ask, a subagent cannot write', async () => {
  const userPolicy = POLICY(
    '  - { id: may-delegate, effect: allow, actions: [subagent.spawn], when: { tool: [delegate] }, because: ours }',
  );
  await play(
    [
      delegate({ task: 'x' }),
      turn({ tool: 'write', input: { path: 'a', content: 'b' } }),
      {},
      { text: 'end' },
    ],
    { interactive: false, userPolicy },
  );
  expect(verdictOf('delegate')).toBe('allow');
  expect(verdictOf('write')).toBe('deny');
  expect(existsSync(path.join(project, 'a'))).toBe(false);
});

it('what a policy lets subagents do still stays within what the call asked for', async () => {
  const userPolicy = POLICY(
    '  - { id: shells, effect: allow, actions: [shell.arbitrary], who: { subagent: true }, because: ours }',
  );
  const bash = turn({ tool: 'bash', input: { command: 'ls' } });
  await play(
    [
      delegate({ task: 'x', name: 'free' }),
      bash,
      { text: 'free done' },
      delegate({ task: 'x', name: 'reader', capabilities: ['fs.read'] }),
      bash,
      { text: 'reader done' },
      { text: 'end' },
    ],
    { userPolicy },
  );
  const [free, reader] = decided.filter(({ name }) => name === 'bash').map(({ decision }) => decision);
  expect(free?.verdict).toBe('confirm');
  expect(reader?.verdict).toBe('deny');
  expect(reader?.because).toContain('beyond what subagent reader may do');
});

describe('subagents of subagents', () => {
  const rules = `  - { id: nest, effect: allow, actions: [subagent.spawn], who: { subagent: true }, because: ours }`;
  const nested = (levels: number): ScriptTurn[] => [
    ...Array.from({ length: levels }, () => delegate({ task: 'go deeper' })),
    turn({ tool: 'read', input: { path: 'notes.txt' } }),
    ...Array.from({ length: levels + 1 }, () => ({ text: 'up' })),
  ];

  it('may nest as deep as the policy says', async () => {
    await play(nested(2), { userPolicy: POLICY(rules) });
    expect(requested.find(({ name }) => name === 'read')?.agent).toBe('worker/worker');
    expect(verdictOf('read')).toBe('allow');
  });

  it('start no level beyond it', async () => {
    await play([delegate({ task: 'a' }), delegate({ task: 'b' }), { text: 'could not' }, { text: 'end' }], {
      userPolicy: POLICY(rules, 'locks: { subagentMaxDepth: 1 }'),
    });
    expect(new Set(requested.map(({ agent }) => agent))).toEqual(new Set(['main', 'worker']));
    const [outer] = requested.filter(({ agent }) => agent === 'worker');
    const entries = await entriesOf(readSession(host, outer?.session ?? ''));
    expect(JSON.stringify(entries)).toContain('locks.subagentMaxDepth');
  });
});

describe('meta tools on the real policy', () => {
  const inner = (tool: string, input: unknown): Record<string, unknown> => ({ tool, input });

  it('get each inner call decided, and nothing granted as a whole', async () => {
    const batch = {
      calls: [
        inner('read', { path: 'notes.txt' }),
        inner('write', { path: 'b.txt', content: 'b\n' }),
        inner('bash', { command: 'rm -rf notes.txt' }),
      ],
    };
    const userPolicy = POLICY(
      '  - { id: all, effect: allow, actions: ["*"], because: ours }\n  - { id: no-rm, effect: deny, actions: ["*"], when: { command: { argv: [rm] } }, because: keep it }',
    );
    await play([turn({ tool: 'batch-tool-use', input: batch }), { text: 'end' }], { userPolicy });
    expect(Object.fromEntries(decided.map(({ name, decision }) => [name, decision.verdict]))).toMatchObject({
      'batch-tool-use': 'allow',
      read: 'allow',
      write: 'allow',
      bash: 'deny',
    });
    expect(decided.find(({ name }) => name === 'batch-tool-use')?.decision.trustOffer.offered).toBe(false);
    expect(existsSync(path.join(project, 'b.txt'))).toBe(true);
    expect(existsSync(path.join(project, 'notes.txt'))).toBe(true);
  });

  it('nest two levels and no more', async () => {
    let call = inner('read', { path: 'notes.txt' });
    for (let level = 0; level < 2; level += 1) call = inner('tool-use', call);
    await play([turn({ tool: 'tool-use', input: call }), { text: 'end' }]);
    expect(verdictOf('read')).toBe('deny');
    expect(decided.find(({ name }) => name === 'read')?.decision.by.id).toBe('nesting');
  });

  it('do nothing in plan mode', async () => {
    const call = inner('read', { path: 'notes.txt' });
    await play([turn({ tool: 'tool-use', input: call }), { text: 'end' }], { mode: 'plan' });
    expect(verdictOf('tool-use')).toBe('deny');
    expect(verdictOf('read')).toBeUndefined();
  });
});
