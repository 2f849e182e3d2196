import type { Plugin } from '@wrongstack/kernel';
import { createTestingHost, type TestingHost } from '../testing-host.js';
import { loadPlugins } from './load-plugins.js';

// What they do is for plain JavaScript to do.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a plugin reaches for what types would refuse
type Anything = any;
const prototypeOf = (of: object): Anything => Object.getPrototypeOf(of);

describe('a plugin that changes what everything in the process shares', () => {
  let host: TestingHost;
  beforeEach(() => {
    host = createTestingHost();
  });
  const bad = (setup: Plugin['setup']): Plugin => ({ name: 'bad', setup });
  const good: Plugin = { name: 'good', setup: () => undefined };

  it.each<[string, () => unknown, string, () => unknown]>([
    [
      'JSON.stringify',
      () => ((JSON as Anything).stringify = () => 'x'),
      'JSON.stringify',
      () => JSON.stringify([1]),
    ],
    [
      'a method of lists',
      () => (prototypeOf([]).includes = () => true),
      'Array.prototype.includes',
      () => [1].includes(2),
    ],
    [
      'how lists are walked',
      () => (prototypeOf([])[Symbol.iterator] = function* () {}),
      'Array.prototype.Symbol(Symbol.iterator)',
      () => [...[1, 2]],
    ],
    [
      'how promises go on',
      () => (Promise.prototype.then = () => new Promise(() => undefined)),
      'Promise.prototype.then',
      () => typeof Promise.resolve(1).then,
    ],
    [
      'process.exit',
      () => ((process as Anything).exit = () => undefined),
      'process.exit',
      () => process.exit.length,
    ],
    [
      'what every object inherits',
      () => (prototypeOf({}).permission = 'auto'),
      'Object.prototype.permission',
      () => (({}) as Anything).permission,
    ],
    [
      'how properties are described',
      () => (prototypeOf({}).get = () => 1),
      'Object.prototype.get',
      () => (({}) as Anything).get,
    ],
    [
      'what every list inherits',
      () => (prototypeOf([]).last = 1),
      'Array.prototype.last',
      () => Object.keys([]).length,
    ],
    [
      'it by a setter',
      () => Object.defineProperty(Map.prototype, 'get', { get: () => () => 'x' }),
      'Map.prototype.get',
      () => new Map([[1, 2]]).get(1),
    ],
    [
      'it by removing',
      () => delete (String.prototype as Anything).startsWith,
      'String.prototype.startsWith',
      () => 'ab'.startsWith('a'),
    ],
  ])('fails, and what it changed is back: %s', async (_what, change, named, look) => {
    const before = look();
    const loaded = await loadPlugins([bad(() => void change()), good], { host });
    expect(loaded.list()).toMatchObject([
      {
        name: 'bad',
        state: 'failed',
        error: { code: 'plugin.globals_changed', message: expect.stringContaining(named) },
      },
      { name: 'good', state: 'loaded' },
    ]);
    expect(look()).toEqual(before);
  });

  it('has it put back where its setup throws after it, too', async () => {
    const loaded = await loadPlugins(
      [
        bad(() => {
          (JSON as Anything).parse = () => 'x';
          throw new Error('no database');
        }),
      ],
      { host },
    );
    expect(loaded.list()).toMatchObject([{ error: { code: 'plugin.setup_failed' } }]);
    expect(JSON.parse('1')).toBe(1);
  });

  it('is not one that adds a method which nobody has and nobody sees', async () => {
    const add = (): unknown =>
      Object.defineProperty(Array.prototype, 'sumForTest', { value: () => 0, configurable: true });
    try {
      expect((await loadPlugins([bad(() => void add())], { host })).list()).toMatchObject([
        { state: 'loaded' },
      ]);
    } finally {
      delete prototypeOf([]).sumForTest;
    }
  });
});
