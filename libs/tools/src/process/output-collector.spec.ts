import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputCollector } from './output-collector.js';

describe('OutputCollector', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wstack-output-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const collector = (more = {}) =>
    new OutputCollector({
      mostCharacters: 20,
      spillFile: join(folder, 'out.log'),
      mostSpillBytes: 1000,
      ...more,
    });

  it('merges both streams and keeps characters whole across chunks', () => {
    const output = collector();
    const [smile, sun] = [Buffer.from('🙂'), Buffer.from('☀')];
    output.push('stdout', smile.subarray(0, 2));
    output.push('stderr', sun.subarray(0, 1));
    output.push('stdout', smile.subarray(2));
    output.push('stderr', sun.subarray(1));
    expect(output.finish()).toEqual({
      text: '🙂☀',
      bytes: 7,
      omitted: 0,
      spill: undefined,
      stderr: [],
      binary: undefined,
    });
  });

  it('knows which rows came from the standard error', () => {
    const output = collector();
    const streams = { o: 'stdout', e: 'stderr' } as const;
    for (const [stream, text] of [
      ['o', 'one\n'],
      ['e', 'tw'],
      ['e', 'o\n\n'],
      ['o', 'thr'],
      ['e', 'ee\n'],
      ['e', 'four'],
    ] as const)
      output.push(streams[stream], Buffer.from(text));
    const { text, stderr } = output.finish();
    expect(text.split('\n').filter((_, row) => stderr.includes(row))).toEqual(['two', 'four']);
  });

  it('knows them also where output was cut', () => {
    const output = collector();
    for (let row = 0; row < 30; row += 1)
      output.push(row % 2 === 0 ? 'stdout' : 'stderr', Buffer.from(`line ${row}\n`));
    const { text, stderr } = output.finish();
    expect(text.split('\n').filter((_, row) => stderr.includes(row))).toEqual(['line 1', 'line 29']);
  });

  it('keeps head and tail in whole lines, and everything in a private file', async () => {
    const output = collector();
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    for (const line of lines) output.push('stdout', Buffer.from(line));
    const { text, spill, omitted } = output.finish();
    expect(text).toBe('line 0\nline 1\n[… output cut …]\nline 28\nline 29\n');
    expect(omitted).toBe(lines.join('').length - 40);
    expect(await readFile(spill ?? '', 'utf8')).toBe(lines.join(''));
    expect((await stat(spill ?? '')).mode & 0o777).toBe(0o600);
  });

  it('keeps the tail of a single long chunk', () => {
    const output = collector();
    output.push('stdout', Buffer.from(`${'a'.repeat(100)}\nerror: it broke\n`));
    expect(output.finish().text).toContain('error: it broke');
  });

  it('masks what goes to disk', async () => {
    const scrub = { push: (text: string) => text.replaceAll('hunter2', '***'), end: () => 'end' };
    const output = collector({ scrub });
    output.push('stdout', Buffer.from(`password hunter2\n${'x'.repeat(60)}\n`));
    const { spill } = output.finish();
    expect(await readFile(spill ?? '', 'utf8')).toBe(`password ***\n${'x'.repeat(60)}\nend`);
  });

  it('bounds the file, and does without one where it cannot be made', async () => {
    const bounded = collector({ mostSpillBytes: 50 });
    bounded.push('stdout', Buffer.from('x'.repeat(500)));
    expect((await stat(bounded.finish().spill ?? '')).size).toBe(50);
    const lost = collector({ spillFile: join(folder, 'missing', 'out.log') });
    lost.push('stdout', Buffer.from('x'.repeat(500)));
    expect(lost.finish()).toMatchObject({ spill: undefined, omitted: 460 });
  });

  it('says of binary output what it is', () => {
    const bytes = Buffer.from([1, 2, 0, 255, 254]);
    const output = collector();
    expect(output.push('stdout', bytes)).toBe('');
    expect(output.finish().binary).toEqual({
      bytes: 5,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const invalid = collector();
    invalid.push('stdout', Buffer.from([0xff, 0xfe, 0xfd, 0x61]));
    expect(invalid.finish().binary?.bytes).toBe(4);
  });
});
