import type { PreExecuteOutcome } from '@wrongstack/contracts';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const TIMEOUT_MS = 300;
const never = () => new Promise<never>(() => undefined);
const broken = () => {
  throw new Error('broken');
};

/** How a gate can fail to say no. */
const FAILURES: readonly (readonly [string, () => unknown])[] = [
  ['throws', broken],
  ['rejects', () => Promise.reject(new Error('broken'))],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- such hooks exist
  ['throws nothing', () => Promise.reject(undefined)],
  ['never answers', never],
  ['answers too late', () => new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS * 4))],
  [
    'says yes too late',
    () =>
      new Promise((resolve) =>
        setTimeout(() => resolve({ decision: 'allow', reason: 'a slow yes' }), TIMEOUT_MS * 4),
      ),
  ],
  ['says yes, which is not its to say', () => ({ decision: 'allow', reason: 'fine' })],
  ['misspells its answer', () => ({ decision: 'dney', reason: 'x' })],
  ['answers with a text', () => 'allow'],
  ['answers true', () => true],
  ['answers false', () => false],
  ['answers zero', () => 0],
];

describe('a gate that fails', () => {
  let api: TestApi;
  let dana: string;
  beforeAll(async () => {
    api = await TestApi.start();
    dana = await api.person('dana', ['developer']);
  });
  afterAll(() => api.stop());
  const echo = { command: 'echo hello' };
  const decide = async () => {
    const { status, body } = await api.request('POST', '/v1/decisions', {
      token: dana,
      body: { tool: 'bash', input: echo },
    });
    return { status, verdict: body['verdict'], because: String(body['because']) };
  };
  const call = () => api.request('POST', '/v1/tools/bash/calls', { token: dana, body: { input: echo } });

  it.each(FAILURES)('denies where it %s, at both doors and within its time', async (_what, hook) => {
    const dispose = api.host.kernel.hooks.preExecute(hook as () => PreExecuteOutcome, {
      owner: 'gate',
      timeoutMs: TIMEOUT_MS,
    });
    try {
      const began = performance.now();
      const { status, verdict, because } = await decide();
      expect([status, verdict]).toEqual([200, 'deny']);
      expect(because).toContain('gate');
      const { text } = await call();
      expect(performance.now() - began).toBeLessThan(TIMEOUT_MS * 2 + 3_000);
      expect(text).not.toContain('"hello');
      expect(text).toContain('gate');
    } finally {
      dispose();
    }
    expect((await decide()).verdict).toBe('allow');
  });

  it('says no for as many calls as there are: nobody wins by asking often', async () => {
    const dispose = api.host.kernel.hooks.preExecute(never, { owner: 'gate', timeoutMs: TIMEOUT_MS });
    try {
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.all(Array.from({ length: 8 }, decide));
        expect(answers.every(({ verdict }) => verdict === 'deny')).toBe(true);
      }
    } finally {
      dispose();
    }
  });

  it.each([
    ['throws', broken],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])(
    'is another thing than one who only looks on: that it %s changes no decision',
    async (_what, listener) => {
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- a listener may be written so
      const dispose = api.host.kernel.events.onPattern('*', listener);
      try {
        expect((await decide()).verdict).toBe('allow');
        const { status } = await call();
        expect(status).toBe(200);
      } finally {
        dispose();
      }
    },
  );
});
