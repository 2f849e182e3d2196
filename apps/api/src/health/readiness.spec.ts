import { type Logger, silentLogger } from '@wrongstack/contracts';
import { Readiness } from './readiness.js';

describe('Readiness', () => {
  it('names what fails, and says why in the log alone', async () => {
    const lines: unknown[] = [];
    const log: Logger = { ...silentLogger, warn: (message, fields) => void lines.push([message, fields]) };
    const readiness = new Readiness(log);
    readiness.add('tasks', async () => undefined);
    readiness.add('store', () => Promise.reject(new Error('no route to db-7')));
    expect(await readiness.failing()).toEqual(['store']);
    expect(lines).toEqual([['not ready', { check: 'store', message: 'no route to db-7' }]]);
  });

  it('waits for no check longer than its time', async () => {
    const readiness = new Readiness(silentLogger, 30);
    let signal: AbortSignal | undefined;
    readiness.add('stuck', (given) => {
      signal = given;
      return new Promise(() => undefined);
    });
    expect(await readiness.failing()).toEqual(['stuck']);
    expect(signal?.aborted).toBe(true);
  });

  it('asks once for all who ask at the same time', async () => {
    const readiness = new Readiness(silentLogger);
    let asked = 0;
    readiness.add('tasks', async () => void (asked += 1));
    await Promise.all([readiness.failing(), readiness.failing()]);
    expect(asked).toBe(1);
    await readiness.failing();
    expect(asked).toBe(2);
  });

  it('forgets a check that is taken back, and only that one', async () => {
    const readiness = new Readiness(silentLogger);
    const bad = () => Promise.reject(new Error('bad'));
    const takeBack = readiness.add('plugins', bad);
    readiness.add('plugins', () => Promise.reject(new Error('other')));
    takeBack();
    expect(await readiness.failing()).toEqual(['plugins']);
  });
});
