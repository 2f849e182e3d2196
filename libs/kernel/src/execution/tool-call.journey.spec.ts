import { readFileSync, statSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ToolOptions } from '@wrongstack/contracts';
import { use } from '../testing/playing-provider.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';

/**
 * One call from the model's request to the result that goes back to it, stage by stage, in the order in which the
 * executor's header lists them. The tool starts a real child process.
 */
describe('the journey of one tool call', () => {
  const SECRET = 'sk-very-secret-value';
  const order: string[] = [];
  const test = new TestKernel({ credentials: { resolve: async () => SECRET } });
  afterAll(() => test.dispose());

  async function* shell(input: { readonly words: string[] }, options: ToolOptions) {
    order.push('invoke');
    expect(options.credentials).toEqual({ API_KEY: SECRET });
    yield { type: 'log' as const, text: 'starting' };
    const child = spawn(
      process.execPath,
      ['-p', JSON.stringify([...input.words, `key ${SECRET}`, 'last line'].join('\n'))],
      {
        signal: options.signal,
      },
    );
    let output = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output += String(chunk);
      yield { type: 'partial_output' as const, text: String(chunk) };
    }
    if (child.exitCode === null) await once(child, 'exit');
    yield {
      type: 'final' as const,
      output: { content: [{ type: 'text' as const, text: output }], meta: { exitCode: 0 } },
    };
  }

  it('passes every stage once, in order', async () => {
    const { kernel, policy, channel, audit, session } = test;
    test.tool({
      name: 'shell',
      permission: 'confirm',
      credentials: ['API_KEY'],
      maxOutputBytes: 60,
      inputSchema: {
        type: 'object',
        properties: { words: { type: 'array', items: { type: 'string' } } },
        required: ['words'],
        additionalProperties: false,
      },
      executeStream: (input, _context, options) => shell(input as { words: string[] }, options),
    });
    kernel.events.onPattern('*', (name) => order.push(`event ${name}`));
    policy.verdicts = () => ({ verdict: 'confirm', because: 'tool shell needs confirmation' });
    const decide = policy.decide.bind(policy);
    policy.decide = (call) => (order.push('decide'), decide(call));
    const recheck = policy.recheck.bind(policy);
    policy.recheck = (call, decision, approval) => (order.push('recheck'), recheck(call, decision, approval));
    channel.answer = () => (order.push('approval'), { kind: 'once' });
    const append = audit.append.bind(audit);
    audit.append = (entry) => (order.push(`audit ${entry.kind}`), append(entry));
    kernel.hooks.preExecute(() => void order.push('pre-execute'), { owner: 'a-plugin' });
    kernel.hooks.postExecute(
      (_call, result) => {
        order.push('post-execute');
        // Before scrubbing: the hook sees the raw result.
        expect(JSON.stringify(result.content)).toContain(SECRET);
      },
      { owner: 'a-plugin' },
    );

    const words = ['first line', ...Array.from({ length: 20 }, (_, line) => `line ${line}`)];
    const outcome = await test.call(use('shell', { words }, 'call-1'));

    expect(order.filter((step) => step !== 'event tool.progress')).toEqual([
      'event tool.requested',
      'event tool/call',
      'pre-execute',
      'decide',
      'event tool.decided',
      'approval',
      'audit decision',
      'audit approval',
      'recheck',
      'event tool.started',
      'invoke',
      'post-execute',
      'audit outcome',
      'event tool.executed',
      'event tool/result',
    ]);

    // Frozen before it was decided, and the approval is bound to exactly this call.
    const [decided] = policy.decided;
    expect(Object.isFrozen(decided?.input)).toBe(true);
    expect(policy.rechecked[0]?.approval).toMatchObject({ given: 'confirm', by: ['mira'] });

    // Scrubbed, then bounded: head and tail stay, the whole scrubbed text is in a private file.
    expect(outcome).toMatchObject({ status: 'ok', truncated: true, files: [] });
    const text = textOf(outcome);
    expect(text).toContain('first line');
    expect(text).toContain('last line');
    expect(text).not.toContain(SECRET);
    const spill = outcome.spill ?? '';
    expect(text).toContain(spill);
    expect(statSync(spill).mode & 0o777).toBe(0o600);
    expect(readFileSync(spill, 'utf8')).toContain('key ***');
    expect(readFileSync(spill, 'utf8')).toContain('line 19');

    // Recorded: what a resume would need, in the order in which it happened.
    expect(session.types).toEqual(['tool_use', 'decision', 'tool_started', 'tool_result']);
    expect(test.payloads('tool.executed')).toEqual([
      expect.objectContaining({ call: 'call-1', status: 'ok', exitCode: 0, truncated: true, spill }),
    ]);
    const progress = test.payloads('tool.progress').map(({ event }) => event.type);
    expect(progress).toContain('log');
    expect(progress).toContain('partial_output');
    expect(progress.at(-1)).toBe('warning');
    expect(test.metrics.samples().map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'wrongstack_decisions_total',
        'wrongstack_tool_calls_total',
        'wrongstack_tool_duration_seconds',
      ]),
    );

    // No stored, shown or sent text holds the secret.
    expect(session.lines.join('\n')).not.toContain(SECRET);
    expect(JSON.stringify(test.heard)).not.toContain(SECRET);
  });
});
