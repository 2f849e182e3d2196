import {
  type Decision,
  type Facts,
  type Obligation,
  Sandbox,
  type SpawnWrapper,
} from '@wrongstack/contracts';
import { factsFor } from '../testing/fixed-policy.js';
import { use } from '../testing/playing-provider.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';

class ListedSandbox extends Sandbox {
  problem: string | null = null;
  override async unavailable(): Promise<string | null> {
    return this.problem;
  }
  override wrapper(profiles: readonly string[]): SpawnWrapper {
    return (argv) => ['confine', ...profiles, '--', ...argv];
  }
}

const COMMAND: Facts['command'] = { text: 'ls', commands: [], unparsed: false, unparsedReason: null };

describe('obligations', () => {
  const sandbox = new ListedSandbox();
  let taken: string[] = [];
  let left = 1;
  const test = new TestKernel({
    sandbox,
    rateLimiter: {
      take: async (key) => (
        taken.push(key),
        left-- > 0 ? { ok: true, retryAfterMs: 0 } : { ok: false, retryAfterMs: 4200 }
      ),
    },
  });
  afterAll(() => test.dispose());
  let spawned: readonly string[] | undefined;
  test.tool({
    name: 'work',
    execute: async (_input, _context, { sandbox: wrap }) => {
      spawned = wrap?.(['ls'], { cwd: '/' });
      return 'card 4111-1111 of acct_77x and acct_78y, key=abc*def';
    },
  });
  test.tool({ name: 'foreign' }, 'a-plugin');
  beforeEach(() => {
    spawned = undefined;
    taken = [];
    left = 1;
    sandbox.problem = null;
  });

  const call = async (obligations: readonly unknown[], facts: Partial<Facts> = {}, name = 'work') => {
    test.policy.verdicts = (asked): Partial<Decision> => ({
      verdict: 'allow',
      obligations: obligations as readonly Obligation[],
      facts: factsFor(asked, facts),
    });
    return test.call(use(name, {}));
  };

  it('redact masks patterns in this result: literal, with * inside a word, escaped stars', async () => {
    expect(textOf(await call([{ redact: ['4111-1111', 'acct_*', 'key=abc\\*def'] }]))).toBe(
      'card [redacted by policy] of [redacted by policy] [redacted by policy] [redacted by policy]'.replace(
        'of [redacted by policy] [redacted',
        'of [redacted by policy] and [redacted',
      ),
    );
    expect(textOf(await call([]))).toContain('acct_77x');
  });

  it('redact covers what is shown while the tool runs', async () => {
    test.tool({
      name: 'streams',
      async *executeStream() {
        yield { type: 'partial_output', text: 'acct_' };
        yield { type: 'partial_output', text: '77x here\nnext' };
        yield { type: 'final', output: 'done' };
      },
    });
    test.heard.length = 0;
    await call([{ redact: ['acct_*'] }], {}, 'streams');
    const shown = test
      .payloads('tool.progress')
      .map(({ event }) => event.text)
      .join('');
    expect(shown).toBe('[redacted by policy] here\nnext');
  });

  it('sandbox wraps what the tool starts', async () => {
    const outcome = await call([{ sandbox: 'workspace-write' }, { sandbox: 'no-network' }], {
      command: COMMAND,
    });
    expect(outcome.status).toBe('ok');
    expect(spawned).toEqual(['confine', 'workspace-write', 'no-network', '--', 'ls']);
  });

  const write = { access: 'write', inside: true, command: null } as unknown as Exclude<
    Facts['paths'],
    'unknown'
  >[number];
  it.each<[string, string, Partial<Facts>, string]>([
    ['a sandbox that is not available', 'workspace-write', { command: COMMAND }, 'bwrap is missing'],
    ['a tool of a plugin, which no wrapper binds', 'read-only', { claimsTrusted: false }, 'cannot bind'],
    ['a write under read-only', 'read-only', { paths: [write] }, 'writes files'],
    ['unknown paths under read-only', 'read-only', { paths: 'unknown' }, 'unknown'],
    [
      'a write outside under workspace-write',
      'workspace-write',
      { paths: [{ ...write, inside: false }] },
      'outside the project',
    ],
    [
      'a host under no-network',
      'no-network',
      { hosts: [{ scheme: 'https', host: 'x', port: 443, command: null }] },
      'connects',
    ],
    ['unknown hosts under no-network', 'no-network', { hosts: 'unknown' }, 'unknown'],
  ])('%s denies', async (_what, profile, facts, why) => {
    sandbox.problem = 'bwrap is missing';
    const outcome = await call([{ sandbox: profile }], facts);
    expect(outcome.status).toBe('denied');
    expect(textOf(outcome)).toContain(why);
    expect(spawned).toBeUndefined();
  });

  it('a write inside the project keeps within workspace-write', async () => {
    expect((await call([{ sandbox: 'workspace-write' }], { paths: [write] })).status).toBe('ok');
  });

  it('rate limit counts by rule and key, and denies what is beyond', async () => {
    const limit = { rateLimit: { max: 1, perSeconds: 60, key: 'user' }, rule: 'slow-down' };
    expect((await call([limit])).status).toBe('ok');
    const second = await call([limit]);
    expect(second.status).toBe('denied');
    expect(textOf(second)).toContain('rule slow-down: 1 per 60 s are used up, next in 5 s');
    expect(taken[0]).toBe('["slow-down","user","mira"]');
  });

  it('a call that another obligation stops uses nothing up', async () => {
    await call(
      [{ rateLimit: { max: 1, perSeconds: 60, key: 'session' }, rule: 'r' }, { sandbox: 'read-only' }],
      { paths: 'unknown' },
    );
    expect(taken).toEqual([]);
  });

  it('what this version does not know, or has no port for, denies', async () => {
    expect((await call([{ watermark: true }])).status).toBe('denied');
    const bare = new TestKernel();
    bare.tool({ name: 'work' });
    bare.policy.verdicts = (asked) => ({
      obligations: [{ rateLimit: { max: 1, perSeconds: 1, key: 'user' }, rule: 'r' }],
      facts: factsFor(asked),
    });
    expect((await bare.call(use('work', {}))).status).toBe('denied');
    bare.policy.verdicts = (asked) => ({
      obligations: [{ sandbox: 'read-only' }],
      facts: factsFor(asked, { command: COMMAND }),
    });
    expect(textOf(await bare.call(use('work', {})))).toContain('none is installed');
    bare.dispose();
  });
});
