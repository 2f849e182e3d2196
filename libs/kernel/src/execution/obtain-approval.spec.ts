import type { ApprovalAnswer, Verdict } from '@wrongstack/contracts';
import { use } from '../testing/playing-provider.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';

describe('obtaining an approval', () => {
  let test: TestKernel;
  let ran: number;
  beforeEach(() => {
    test = new TestKernel();
    ran = 0;
    test.tool({ name: 'work', mutating: true, execute: async () => (ran += 1) });
  });
  afterEach(() => test.dispose());

  const asked = async (verdict: Verdict, answer: ApprovalAnswer) => {
    test.policy.verdicts = () => ({
      verdict,
      approvers:
        verdict === 'approve' ? { count: 2, from: ['oncall'], ttlMinutes: 30, excludeRequester: true } : null,
    });
    test.channel.answer = () => answer;
    return test.call(use('work', {}));
  };

  it.each<[Verdict, ApprovalAnswer, string, number]>([
    ['confirm', { kind: 'once' }, 'ok', 1],
    ['confirm', { kind: 'always' }, 'ok', 1],
    ['confirm', { kind: 'approved', by: ['leo'] }, 'ok', 1],
    ['confirm', { kind: 'no' }, 'denied', 0],
    ['confirm', { kind: 'no', reason: 'not now' }, 'denied', 0],
    ['confirm', { kind: 'never' }, 'denied', 0],
    ['approve', { kind: 'approved', by: ['leo', 'ana'] }, 'ok', 1],
    ['approve', { kind: 'approved', by: [] }, 'denied', 0],
    // The person at the keyboard is not the others whom the rule names.
    ['approve', { kind: 'once' }, 'denied', 0],
    ['approve', { kind: 'always' }, 'denied', 0],
    // Only the exact known answers count.
    ['confirm', { kind: 'yes' } as unknown as ApprovalAnswer, 'denied', 0],
    ['confirm', { kind: 'alow' } as unknown as ApprovalAnswer, 'denied', 0],
  ])('%s answered with %j ends %s', async (verdict, answer, status, times) => {
    expect((await asked(verdict, answer)).status).toBe(status);
    expect(ran).toBe(times);
  });

  it('binds the yes to the digest of exactly this call', async () => {
    await asked('confirm', { kind: 'once' });
    const { approval, call } = test.policy.rechecked[0]!;
    expect(approval?.digest).toBe((await new TestKernel().policy.decide(call)).approvalDigest);
  });

  it('tells the model what the person said', async () => {
    expect(textOf(await asked('confirm', { kind: 'no', reason: 'use the staging cluster' }))).toBe(
      'Denied by the person: use the staging cluster. Nothing ran.',
    );
    expect(textOf(await asked('confirm', { kind: 'no' }))).toBe('Denied by the person. Nothing ran.');
  });

  it('stores always and never; a yes that cannot be stored is still a yes to this call, and that is said', async () => {
    await asked('confirm', { kind: 'always' });
    await asked('confirm', { kind: 'never' });
    expect(test.policy.remembered).toEqual(['allow', 'deny']);
    test.policy.rememberFailure = new Error('trust.json is corrupt');
    expect((await asked('confirm', { kind: 'always' })).status).toBe('ok');
    expect(test.payloads('error')).toMatchObject([
      { code: 'trust.not_stored', message: expect.stringContaining('corrupt') },
    ]);
  });

  it('announces who is waited for and what came of it, for approvals by others', async () => {
    await asked('approve', { kind: 'approved', by: ['leo', 'ana'] });
    expect(test.payloads('approval.waiting')).toMatchObject([
      { need: 2, have: 0, expiresAt: expect.any(String) },
    ]);
    expect(test.payloads('approval.resolved')).toMatchObject([{ outcome: 'approved', by: ['leo', 'ana'] }]);
  });

  it('parks a call that is queued: it has not run, and no result is announced for it', async () => {
    const outcome = await asked('approve', { kind: 'parked', approval: 'ap-1' as never, expiresAt: null });
    expect(outcome).toMatchObject({ status: 'parked', approval: { id: 'ap-1' }, result: { isError: true } });
    expect(ran).toBe(0);
    expect(test.names).toContain('tool.parked');
    expect(test.names).not.toContain('tool.executed');
    expect(test.session.ofType('tool_result')).toMatchObject([{ status: 'parked' }]);
  });

  it('never turns a late answer into a yes', async () => {
    const controller = new AbortController();
    let answerLate: (answer: ApprovalAnswer) => void = () => undefined;
    test.policy.verdicts = () => ({ verdict: 'confirm' });
    // This channel overlooks its signal.
    test.channel.answer = () => new Promise((resolve) => (answerLate = resolve));
    const call = test.call(use('work', {}), controller.signal);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    controller.abort();
    const outcome = await call;
    answerLate({ kind: 'once' });
    await new Promise(setImmediate);
    expect(outcome.status).toBe('aborted');
    expect(textOf(outcome)).toContain('nothing ran');
    expect(ran).toBe(0);
    expect(test.audit.entries.map(({ kind }) => kind)).toEqual(['decision', 'approval']);
  });

  it('asks one thing at a time, in order; an interruption takes back what is still waiting', async () => {
    const controller = new AbortController();
    const answers: ((answer: ApprovalAnswer) => void)[] = [];
    test.policy.verdicts = () => ({ verdict: 'confirm' });
    test.channel.answer = () => new Promise((resolve) => answers.push(resolve));
    const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
    const calls = ['a', 'b', 'c'].map((id) => test.call(use('work', { id }, id), controller.signal));
    await settle();
    expect(test.channel.asked).toHaveLength(1);
    answers[0]!({ kind: 'no' });
    await settle();
    expect(test.channel.asked.map(({ call }) => call.id)).toEqual(['a', 'b']);
    controller.abort();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(['denied', 'aborted', 'aborted']);
    expect(test.channel.asked).toHaveLength(2);
  });

  it('a channel that fails is a no', async () => {
    test.policy.verdicts = () => ({ verdict: 'confirm' });
    test.channel.answer = () => Promise.reject(new Error('terminal gone'));
    const outcome = await test.call(use('work', {}));
    expect(outcome.status).toBe('denied');
    expect(textOf(outcome)).toContain('terminal gone');
  });

  it('asks even when the presenter throws, showing the whole input', async () => {
    test.policy.verdicts = () => ({ verdict: 'confirm' });
    test.tool({
      name: 'shows',
      presentCall: () => {
        throw new Error('bad presenter');
      },
    });
    await test.call(use('shows', { a: 1 }));
    expect(test.channel.asked[0]?.view).toEqual({ card: 'generic', title: 'shows', rawInput: { a: 1 } });
  });
});
