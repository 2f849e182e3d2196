import type { Message } from '@wrongstack/contracts';
import { ProviderError } from '@wrongstack/contracts';
import { replaySession } from '../session/replay-session.js';
import { answer, use } from '../testing/playing-provider.js';
import { TestKernel } from '../testing/test-kernel.js';
import { planCompaction } from './compaction.js';
import { estimateTokens } from './token-estimate.js';

describe('compaction', () => {
  let test: TestKernel;
  beforeEach(() => {
    test = new TestKernel({}, { agent: { contextTokens: 6_000, compactAt: 0.8, maxRetries: 0 } });
    test.tool({ name: 'big', execute: async () => 'y'.repeat(9_000) });
  });
  afterEach(() => test.dispose());

  it('has the model summarise what is older when the context grows too long, and says so', async () => {
    const { agent, provider } = test.agent([
      answer([use('big', {}, 'a')]),
      answer([use('big', {}, 'b')]),
      answer('the gist: two big reads'),
      answer('done'),
    ]);
    expect((await agent.run('read everything')).text).toBe('done');
    const [, , asked, after] = provider.requests;
    expect(asked?.tools).toEqual([]);
    expect(JSON.stringify(asked?.messages)).toContain('read everything');
    expect(JSON.stringify(after?.messages[0])).toContain('the gist: two big reads');
    expect(test.payloads('context.compacted')[0].afterTokens).toBeLessThan(
      test.payloads('context.compacted')[0].beforeTokens,
    );
    // The same after a resume.
    expect((await replaySession(test.session)).conversation.messages).toEqual(agent.messages);
    // The summary of the summary request is not shown as an answer.
    expect(test.payloads('message.completed').map(({ text }) => text)).not.toContain(
      'the gist: two big reads',
    );
  });

  it('cuts nothing silently: without a summary the run fails and the session stays', async () => {
    const { agent } = test.agent([
      answer([use('big', {}, 'a')]),
      answer([use('big', {}, 'b')]),
      new ProviderError('provider.overloaded', 'down', { retryable: true }),
    ]);
    expect(await agent.run('go')).toMatchObject({ status: 'failed', error: { code: 'provider.overloaded' } });
    expect(agent.messages).toHaveLength(5);
    expect(test.session.types).not.toContain('compaction');
  });

  it('compacts and tries again when the provider says the context is too long', async () => {
    test = new TestKernel();
    test.tool({ name: 'big', execute: async () => 'y'.repeat(3_000) });
    const tooLong = new ProviderError('provider.context_too_long', 'too long', { retryable: false });
    const { agent, provider } = test.agent([
      answer([use('big', {}, 'a')]),
      tooLong,
      answer('gist'),
      answer('done'),
    ]);
    expect((await agent.run('go')).text).toBe('done');
    expect(provider.requests).toHaveLength(4);
    // Far below the budget: the model's own limit was met, so what filled it is gone.
    expect(JSON.stringify(provider.requests[3]?.messages)).not.toContain('yyy');
  });

  it('never separates a call from its result', () => {
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }];
    for (let index = 0; index < 30; index += 1) {
      messages.push({ role: 'assistant', content: [use('big', {}, `c${index}`)] });
      messages.push({
        role: 'user',
        content: [
          {
            type: 'tool_result',
            id: `c${index}` as never,
            isError: false,
            content: [{ type: 'text', text: 'z'.repeat(index * 37) }],
          },
        ],
      });
    }
    for (let budget = 100; budget < 6_000; budget += 171) {
      const plan = planCompaction(messages, budget)!;
      const kept = messages.slice(plan.keptFrom);
      expect(kept[0]?.content.some(({ type }) => type === 'tool_result') ?? false).toBe(false);
      expect(plan.older).toHaveLength(plan.keptFrom);
      expect(plan.keptFrom).toBeGreaterThan(0);
      expect(estimateTokens(kept)).toBeLessThan(budget);
    }
  });

  it('leaves alone what its summary would not shorten', async () => {
    const { agent } = test.agent([answer('one'), answer('the person said hi, and that was all there was')]);
    await agent.run('hi');
    const before = [...agent.messages];
    expect(await agent.compact()).toBe(false);
    expect(agent.messages).toEqual(before);
    expect(test.session.types).not.toContain('compaction');
    expect(test.payloads('context.compacted')).toEqual([]);
  });

  it('can be asked for, outside of a run', async () => {
    const { agent } = test.agent([answer('one'), answer('the gist')]);
    expect(await agent.compact()).toBe(false);
    await agent.run('x'.repeat(400));
    expect(await agent.compact()).toBe(true);
    expect(JSON.stringify(agent.messages[0])).toContain('the gist');
    expect(JSON.stringify(agent.messages)).not.toContain('xxx');
    const [{ beforeTokens, afterTokens }] = test.payloads('context.compacted');
    expect(afterTokens).toBeLessThan(beforeTokens);
  });
});
