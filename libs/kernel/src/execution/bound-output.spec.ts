import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallId } from '@wrongstack/contracts';
import { boundOutput, headAndTail } from './bound-output.js';
import { CallScrubber } from './call-scrubber.js';
import { scrubResult } from './scrub-result.js';
import { ExactScrubber } from '../testing/memory-ports.js';

describe('bounding an output', () => {
  const scratchDir = mkdtempSync(join(tmpdir(), 'bound-'));
  afterAll(() => rmSync(scratchDir, { recursive: true }));
  const bound = (text: string, maxBytes: number, call = 'c-1') =>
    boundOutput(
      { content: [{ type: 'text', text }], isError: false },
      { maxBytes, scratchDir, call: call as CallId },
    );

  it('leaves alone what fits, counted in bytes of UTF-8', async () => {
    expect(await bound('äöü', 6)).toEqual({
      result: { content: [{ type: 'text', text: 'äöü' }], isError: false },
      truncated: false,
      spill: null,
    });
    expect((await bound('äöü', 5)).truncated).toBe(true);
  });

  it('cuts at character boundaries, keeps both ends and names the file with the whole', async () => {
    const whole = 'ab🙂cd';
    const { result, spill } = await bound(whole, 5);
    const [head, notice, tail] = result.content.map((block) => (block.type === 'text' ? block.text : ''));
    expect([head, tail]).toEqual(['ab', 'cd']);
    expect(notice).toBe(`[output truncated: 4 of 8 bytes left out here; the whole output is in ${spill}]`);
    expect(readFileSync(spill!, 'utf8')).toBe(whole);
    expect(statSync(spill!).mode & 0o777).toBe(0o600);
  });

  it('keeps every bound for every text: well-formed, at most as many bytes, a head and a tail of the original', () => {
    const text = 'é🙂漢a\n'.repeat(30);
    for (let maxBytes = 1; maxBytes < 120; maxBytes += 1) {
      const { head, tail } = headAndTail(text, maxBytes);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(maxBytes);
      expect(text.startsWith(head)).toBe(true);
      expect(text.endsWith(tail)).toBe(true);
      expect(head + tail).not.toMatch(/\ufffd/);
    }
  });

  it('writes through no planted link and over no earlier output', async () => {
    const first = (await bound('x'.repeat(20), 5, 'c-2')).spill!;
    const second = (await bound('y'.repeat(20), 5, 'c-2')).spill!;
    expect(second).not.toBe(first);
    expect(readFileSync(first, 'utf8')).toBe('x'.repeat(20));
    const victim = join(scratchDir, 'victim');
    writeFileSync(victim, 'keep');
    rmSync(first);
    symlinkSync(victim, first);
    await bound('z'.repeat(20), 5, 'c-2');
    expect(readFileSync(victim, 'utf8')).toBe('keep');
  });

  it('names no file by an id that came from outside', async () => {
    const { spill } = await bound('x'.repeat(20), 5, '../../etc/passwd');
    expect(spill!.startsWith(`${scratchDir}/output-`)).toBe(true);
  });

  it('says so when the whole could not be kept', async () => {
    const { result, spill, truncated } = await boundOutput(
      { content: [{ type: 'text', text: 'x'.repeat(50) }], isError: false },
      { maxBytes: 10, scratchDir: '/dev/null/nowhere', call: 'c-1' as CallId },
    );
    expect([spill, truncated]).toEqual([null, true]);
    expect(JSON.stringify(result)).toContain('could not be kept');
  });
});

describe('scrubbing a result', () => {
  const scrub = (output: unknown, meta?: unknown) =>
    scrubResult(new CallScrubber(new ExactScrubber('s3cret-value'), []), {
      content: [{ type: 'text', text: String(output) }],
      isError: false,
      meta,
    });

  it('masks text and meta at any depth', () => {
    expect(scrub('a s3cret-value b', { deep: [{ key: 's3cret-value' }] })).toEqual({
      content: [{ type: 'text', text: 'a *** b' }],
      isError: false,
      meta: { deep: [{ key: '***' }] },
    });
  });

  it('makes text well-formed and meta JSON', () => {
    expect(scrub('a\ud800b\0').content).toEqual([{ type: 'text', text: 'a\ufffdb\0' }]);
    expect(scrub('x', { n: 1n, f: () => 1 }).meta).toEqual({ n: '1' });
    expect(scrub('x', { big: 'y'.repeat(600_000) }).meta).toEqual({
      dropped: expect.stringContaining('larger'),
    });
  });

  it('drops the middle of absurd sizes at lines, before scrubbing', () => {
    const huge = scrub(`first\n${'x'.repeat(1023).concat('\n').repeat(20_000)}last`).content[0]!;
    const text = huge.type === 'text' ? huge.text : '';
    expect(text.length).toBeLessThan(17 * 1024 * 1024);
    expect(text.startsWith('first\n')).toBe(true);
    expect(text.endsWith('last')).toBe(true);
    expect(text).toContain('the middle was dropped');
  });
});

describe('redaction patterns', () => {
  const redact = (text: string, ...patterns: string[]) =>
    new CallScrubber(new ExactScrubber(), patterns).scrub(text);

  it.each([
    ['id-*', 'id-12 id-34, x', '[redacted by policy] [redacted by policy] x'],
    ['*@corp.example', 'mail ana@corp.example now', 'mail [redacted by policy] now'],
    ['a*c*e', 'abcde aXcY abce', '[redacted by policy] aXcY [redacted by policy]'],
    ['two words', 'has two words in it', 'has [redacted by policy] in it'],
    ['.*', 'a.b c', 'a[redacted by policy] c'],
    ['', 'unchanged', 'unchanged'],
    ['*', 'unchanged', 'unchanged'],
  ])('%j', (pattern, text, expected) => {
    expect(redact(text, pattern)).toBe(expected);
  });

  it('reach the names of members too, which stay distinct', () => {
    const scrubber = new CallScrubber(new ExactScrubber(), ['id-*']);
    expect(scrubber.scrubValue({ 'id-12': 'id-7', plain: [{ 'a id-3': 1 }], 'id-34': 2 })).toEqual({
      '[redacted by policy]': '[redacted by policy]',
      plain: [{ 'a [redacted by policy]': 1 }],
      '[redacted by policy] (2)': 2,
    });
    let deep: unknown = 'id-1';
    for (let level = 0; level < 100; level += 1) deep = { deep };
    expect(JSON.stringify(scrubber.scrubValue(deep))).not.toContain('id-1');
  });

  it('stay linear on hostile texts and patterns', () => {
    expect(redact('a'.repeat(200_000), 'a*b*c*d*e')).toHaveLength(200_000);
    expect(redact('ab'.repeat(100_000), '*b*z')).toHaveLength(200_000);
    expect(redact('ab'.repeat(100_000), 'a*b')).toBe('[redacted by policy]'.repeat(100_000));
    expect(redact('ax '.repeat(100_000), 'a*z')).toHaveLength(300_000);
  });
});
