import { readFileSync } from 'node:fs';
import path from 'node:path';
import { examples, root } from './wstack.spec-support.js';

const page = readFileSync(path.join(root, 'docs/authors/plugins.md'), 'utf8');
const sources = ['tenant-header', 'notebook', 'careful-bash'].map((name) =>
  lines(readFileSync(path.join(examples, name, 'src/index.ts'), 'utf8')),
);

/** Without indentation, since a page may show a part from the left margin; and unwrapped. */
function lines(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}

describe('the page for authors of plugins', () => {
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);

  it('shows code', () => {
    expect(blocks.length).toBeGreaterThan(7);
  });

  it.each(blocks.map((code) => [code.trim().split('\n')[0], code]))(
    'shows code that is compiled and run: %s',
    (_first, code) => {
      expect(sources.some((source) => source.includes(lines(code)))).toBe(true);
    },
  );
});
