import { filesIn, isBelow } from './stack-files.js';

const withStack = (stack: unknown): Error => Object.assign(new Error('x'), { stack });

describe('the files of a stack', () => {
  it('come nearest first, without those of Node', () => {
    const stack = `Error: x
    at console.log (node:internal/console/constructor:1:2)
    at Object.run (file:///home/me/plugins/p/index.mjs:3:4)
    at async /opt/wstack/dist/main.js:5:6`;
    expect(filesIn(withStack(stack))).toEqual([
      'file:///home/me/plugins/p/index.mjs',
      '/opt/wstack/dist/main.js',
    ]);
  });

  it.each([
    ['a text', 'thrown'],
    ['nothing', undefined],
    ['an object without a prototype', Object.create(null)],
    ['an error without a stack', withStack(undefined)],
    ['a socket’s error', withStack('Error: refused\n    at TCPConnectWrap.afterConnect (node:net:1611:16)')],
    ['an error whose message looks like one', withStack('Error: see /etc/passwd:1:2')],
  ])('are none for %s', (_what, thrown) => {
    expect(filesIn(thrown)).toEqual([]);
  });

  it('lie below a folder by whole names', () => {
    expect(isBelow('file:///a/plugins/p/x.js', '/a/plugins/p')).toBe(true);
    expect(isBelow('/a/plugins/pq/x.js', '/a/plugins/p')).toBe(false);
  });
});
