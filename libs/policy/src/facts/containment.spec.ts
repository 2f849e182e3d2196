import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { computeFacts } from './compute-facts.js';
import { sampleCall } from './sample-call.spec-support.js';

/** Names of a small disk full of links, and what a mischievous caller would put between them. */
const NAMES = [
  'a',
  'b',
  'out',
  'back',
  'loop',
  'gone',
  'file',
  'up',
  '..',
  '.',
  '',
  'new',
  'a\0',
  '.GIT',
  '...',
  'x'.repeat(300),
];

describe('whatever path is claimed', () => {
  let root: string;
  let project: string;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'contain-')));
    project = join(root, 'pay');
    await mkdir(join(project, 'a/b'), { recursive: true });
    await mkdir(join(root, 'outside/a/b'), { recursive: true });
    await writeFile(join(project, 'file'), '');
    await symlink(join(root, 'outside'), join(project, 'out'));
    await symlink(join(root, 'outside'), join(project, 'a/b/out'));
    await symlink('../../pay', join(root, 'outside/a/back'));
    await symlink('..', join(project, 'a/up'));
    await symlink('loop', join(project, 'loop'));
    await symlink('../nowhere', join(project, 'a/gone'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const path = fc
    .tuple(fc.constantFrom('', '/', './', '../'), fc.array(fc.constantFrom(...NAMES), { maxLength: 7 }))
    .map(([start, names]) => (start === '/' ? `${project}/` : start) + names.join('/'));

  it('is inside only where the kernel says so, and never throws', async () => {
    const clock = { now: () => 0 };
    const options = {
      home: join(root, 'h'),
      agentHome: join(root, 'h/.wrongstack'),
      clock,
      toolchainScratch: [],
    };
    await fc.assert(
      fc.asyncProperty(path, async (claimed) => {
        const call = sampleCall(project, {
          paths: [{ path: claimed, access: 'write' }],
          command: null,
          urls: [],
        });
        const { paths } = await computeFacts(call, options);
        if (paths === 'unknown') throw new Error('paths are unknown');
        for (const fact of paths) {
          const isInside = fact.real === project || fact.real?.startsWith(`${project}/`) === true;
          expect(fact.inside).toBe(isInside);
          expect(fact.real === null || !fact.real.includes('/../')).toBe(true);
        }
        // What the kernel opens for this very text, where it opens anything.
        const kernel = await realpath(claimed.startsWith('/') ? claimed : `${project}/${claimed}`).catch(
          () => null,
        );
        if (kernel !== null) expect(paths[0]?.real).toBe(kernel);
      }),
      { numRuns: 500 },
    );
  }, 30_000);
});
