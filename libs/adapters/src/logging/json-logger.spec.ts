import type { LogLevel } from '@wrongstack/contracts';
import { PatternSecretScrubber } from '../secrets/pattern-secret-scrubber.js';
import { createJsonLogger } from './json-logger.js';

/** Put together here, so that no scanner takes this file for a leak. */
const GOOGLE_KEY = ['AIza', 'SyA-0123456789abcdefghijklmnopqrstu'].join('');

function logger(level: LogLevel = 'debug') {
  const lines: string[] = [];
  const clock = { now: () => Date.parse('2026-01-02T03:04:05Z') };
  const log = createJsonLogger({
    level,
    clock,
    write: (line) => lines.push(line),
    scrubber: new PatternSecretScrubber(),
  });
  return { log, lines };
}

describe('a JSON log', () => {
  it('has one line an event, with time, level, message and fields', () => {
    const { log, lines } = logger();
    log.info('tool ran', { call: 'c-1', ms: 4 });
    expect(lines).toEqual([
      '{"ts":"2026-01-02T03:04:05.000Z","level":"info","call":"c-1","ms":4,"msg":"tool ran"}\n',
    ]);
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = logger('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['c', 'd']);
  });

  it('masks secrets in messages, fields and errors', () => {
    const { log, lines } = logger();
    const url = `http://127.0.0.1:1/v1?key=${GOOGLE_KEY}`;
    log.error(`GET ${url} failed`, {
      apiKey: 'a',
      'API-KEY': 'b',
      deep: [{ clientSecret: 'c' }],
      hasApiKey: true,
      tokenUsage: 12,
    });
    log.error('failed', new Error(`cannot reach ${url}`));
    log.error('failed', { cause: new Error(url) });
    expect(lines.join('')).not.toMatch(/AIza|"[abc]"/);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      msg: 'GET http://127.0.0.1:1/v1?key=*** failed',
      apiKey: '***',
      'API-KEY': '***',
      deep: [{ clientSecret: '***' }],
      hasApiKey: true,
      tokenUsage: 12,
    });
    expect(JSON.parse(lines[1]!)).toMatchObject({
      error: { name: 'Error', message: expect.stringContaining('key=***') },
    });
  });

  it('cannot be made to say something else at a terminal', () => {
    const { log, lines } = logger();
    log.warn('a\n{"level":"error"}\u001b[2J\u009b1m\u202e\u2028', { field: '\u0085\u007f' });
    expect(lines).toHaveLength(1);
    expect(lines[0]!.slice(0, -1)).toMatch(/^[\u0020-\u007e]*$/);
  });

  it('never fails its caller, and keeps payloads short', () => {
    const { log, lines } = logger();
    const cycle: Record<string, unknown> = {
      n: 1n,
      f: () => 1,
      long: 'x '.repeat(50_000),
      ts: 'mine',
      level: 'mine',
    };
    cycle['self'] = cycle;
    log.info('odd', cycle);
    log.info('text', 'not an object');
    log.info('nothing', null);
    const hostile = { get field(): string { throw new Error('boom'); } }; // prettier-ignore
    log.info('hostile', hostile);
    expect(lines).toHaveLength(3);
    expect(lines[0]!.length).toBeLessThan(40_000);
    expect(JSON.parse(lines[0]!)).toMatchObject({ n: '1', f: '[function]', msg: 'odd' });
    const broken = createJsonLogger({
      level: 'info',
      scrubber: new PatternSecretScrubber(),
      write: () => {
        throw new Error('disk full');
      },
    });
    expect(() => broken.error('x')).not.toThrow();
  });
});
