import { existsSync } from 'node:fs';
import path from 'node:path';
import { Sandbox } from './cli-process.spec-support.js';
import { isRunning, pidsOf } from './hazard-host.spec-support.js';
import { type ServedOptions, ServedTools } from './served-tools.spec-support.js';

jest.setTimeout(60_000);

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: mine, revision: 1, scope: { tier: user }, owner: me }
rules:
  - id: harmless
    effect: allow
    actions: [shell.arbitrary, shell.restricted]
    when: { any: [{ command: { argv: [[cat, echo, env, grep, read, setsid, sh, sleep, trap, wait]] } }, { tool: [git] }] }
    because: a test
`;
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;
const KEYS = {
  OPENAI_API_KEY: 'key-of-a-model',
  WRONGSTACK_MCP_TOKEN: 'bearer-of-this-server',
  WRONGSTACK_TOKEN: 'token-of-a-person',
};

let sandbox: Sandbox;
let served: ServedTools;

beforeAll(async () => {
  sandbox = await Sandbox.create({ 'a.txt': 'from disk', '~/.wrongstack/policy.yaml': POLICY });
  served = await ServedTools.start(sandbox, { env: KEYS });
});
afterAll(async () => {
  await served.close();
  await sandbox.remove();
});

const inProject = (name: string): string => path.join(sandbox.project, name);

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !holds(); tries += 1)
    await new Promise((done) => setTimeout(done, 20));
  expect(holds()).toBe(true);
}

describe('what a client is told', () => {
  const told = async ({ client }: ServedTools): Promise<string> =>
    JSON.stringify([await client.listTools(), await client.listPrompts(), client.getInstructions()]);

  it.each<[string, ServedOptions]>([
    ['after a restart', {}],
    ['whatever the client calls itself', { name: 'another-agent' }],
    ['whatever the client can do', { answer: () => ({ action: 'decline' }) }],
  ])('is the same, to the byte, %s', async (_when, options) => {
    const other = await ServedTools.start(sandbox, options);
    try {
      expect(await told(other)).toBe(await told(served));
    } finally {
      await other.close();
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    ['tools, their schemas included', () => served.client.listTools()],
    [
      'prompts and their text',
      () => served.client.getPrompt({ name: 'explain-denial', arguments: { denial: 'x' } }),
    ],
    ['the policies in force', () => served.client.readResource({ uri: 'wstack://policy/' })],
  ])('hides nothing: %s', async (_what, ask) => {
    expect(JSON.stringify(await ask())).not.toMatch(HIDDEN);
  });
});

describe('a tool that is called through the protocol', () => {
  it.each([
    { args: ['log'], ref: '--output=CANARY' },
    { args: ['diff', '--output=CANARY'] },
    { args: ['show', '-O', 'CANARY', '--ext-diff'] },
  ])('takes no option where a name belongs: git %j', async (input) => {
    await served.call('git', input).catch(() => undefined);
    expect(existsSync(inProject('CANARY'))).toBe(false);
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['a ping', '62.31', () => served.client.ping()],
    ['the list of tools', '62.32', () => served.client.listTools()],
    ['another call', '62.33', () => served.call('read', { path: 'a.txt' })],
  ])('may be slow: meanwhile the same connection answers %s, and it ran once', async (_what, word, ask) => {
    const slow = served.bash(`sleep ${word}; echo over`);
    await until(() => isRunning(word));
    await ask();
    // Only now it ends.
    for (const pid of pidsOf(word)) process.kill(pid);
    expect(await slow).toMatchObject({ status: 'ok', text: expect.stringContaining('over') });
    const { resources } = await served.client.listResources();
    const log = JSON.stringify(await served.client.readResource({ uri: resources[0]?.uri ?? '' }));
    expect(log.split(`sleep ${word}`)).toHaveLength(2);
  });

  it.each(['env', "sh -c 'env | cat'", "sh -c 'cat /proc/self/environ'"])(
    'has none of the keys that the server was started with: %s',
    async (command) => {
      const { status, text } = await served.bash(command);
      expect(status).toMatch(/ok|denied/);
      expect(text).not.toMatch(/key-of-a-model|bearer-of-this-server|token-of-a-person/);
    },
  );

  it.each(['cat; echo done', 'read x; echo done', "sh -c 'cat | cat' && echo done"])(
    'finds its input at the end, and eats no message of the protocol: %s',
    async (command) => {
      expect(await served.bash(command)).toMatchObject({ text: expect.stringContaining('done') });
      expect(await served.client.ping()).toEqual({});
    },
  );
});

describe('a command that does not end', () => {
  it.each([
    ["trap '' TERM; sleep 62.01", '62.01'],
    ['sh -c \'trap "" TERM HUP; sleep 62.02\' & sleep 62.02', '62.02'],
    ['setsid sleep 62.03 | cat', '62.03'],
  ])('is stopped at its time limit, whatever it ignores: %s', async (command, word) => {
    const { text } = await served.bash(command, { timeoutMs: 400 });
    expect(text).toMatch(/timed out/i);
    expect(isRunning(word)).toBe(false);
  });

  it.each([
    ['sleep 62.11 | grep q', '62.11'],
    ["sh -c 'sleep 62.12 & wait' | cat", '62.12'],
    ['setsid sleep 62.13 & wait', '62.13'],
  ])('is stopped with its whole pipeline when its call is cancelled: %s', async (command, word) => {
    const controller = new AbortController();
    const call = served.bash(command, {}, controller.signal);
    await until(() => isRunning(word));
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await until(() => !isRunning(word));
  });

  it.each<[string, string, (server: ServedTools) => unknown]>([
    ['is told to end', '62.21', (server) => server.kill('SIGTERM')],
    ['loses its client', '62.22', (server) => server.close()],
    ['is killed', '62.23', (server) => server.kill('SIGKILL')],
  ])('is gone with everything behind it when the server %s', async (_how, word, end) => {
    const server = await ServedTools.start(sandbox);
    const call = server.bash(`sh -c "sleep ${word} & wait" | cat`).catch(() => undefined);
    await until(() => isRunning(word));
    await end(server);
    await call;
    await until(() => !isRunning(word));
    await server.close();
  });
});

describe('a question that is open', () => {
  /** A server whose client holds every question, and never answers it in time. */
  async function asking() {
    let onAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const server = await ServedTools.start(sandbox, {
      answer: async () => {
        onAsked();
        await answered;
        return { action: 'accept', content: { answer: 'allow once' } };
      },
    });
    return { server, asked, answer };
  }

  it.each<[string, (server: ServedTools, cancel: AbortController) => unknown]>([
    ['its call is cancelled', (_server, cancel) => cancel.abort('enough')],
    ['the server is told to end', (server) => server.kill('SIGTERM')],
    ['its client goes away', (server) => server.close()],
  ])('takes no yes any more when %s, and nothing runs', async (how, end) => {
    const { server, asked, answer } = await asking();
    const mark = `mark-${how.replaceAll(' ', '-')}`;
    const cancel = new AbortController();
    const call = server.bash(`touch ${mark}`, {}, cancel.signal).catch(() => undefined);
    await asked;
    await end(server, cancel);
    answer();
    await call;
    await server.close();
    expect(existsSync(inProject(mark))).toBe(false);
  });
});
