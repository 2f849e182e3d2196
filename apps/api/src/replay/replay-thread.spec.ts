import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openControlStore } from '@wrongstack/adapters/store';
import { builtInTools, MemoryStore } from '@wrongstack/tools';
import type { ReplayWork } from './replay-work.js';
import { replayInThread } from './replay-thread.js';
import { decisionAbout, recordCalls } from './recorded-calls.spec-support.js';

jest.setTimeout(60_000);

// The built program, whose file the threads start with.
const PROGRAM = pathToFileURL(path.resolve(__dirname, '../../dist/bundle.cjs'));
const DRAFT = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: all, revision: 1, scope: { tier: org } }
rules:
  - { id: no-apply, effect: deny, actions: ['*'], when: { command: { argv: [terraform] } }, because: a test }
`;

describe('a replay in a thread of its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wstack-thread-'));
  const file = path.join(folder, 'control.db');
  const work: ReplayWork = {
    texts: { draft: DRAFT, beside: [], replaces: null, organisation: 'acme' },
    window: { afterSeq: 0, throughSeq: 1_200, from: null, to: null, team: null },
  };

  beforeAll(async () => {
    const tools = builtInTools({ environment: {}, memory: new MemoryStore() }).map((tool) => ({
      ...tool,
      owner: 'core',
      definitionDigest: 'sha256:test',
    }));
    const [apply, list] = [await decisionAbout('terraform apply', tools), await decisionAbout('ls', tools)];
    const store = await openControlStore({ file });
    await recordCalls(
      store,
      Array.from({ length: 1_200 }, (_, index) => (index % 10 === 0 ? apply : list)),
    );
    await store.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('gives its pieces in order, beside a process that has the store', async () => {
    const store = await openControlStore({ file });
    const pieces = [];
    for await (const piece of replayInThread(PROGRAM, { file })(work, new AbortController().signal))
      pieces.push(piece);
    await store.close();
    expect(pieces.map(({ throughSeq }) => throughSeq)).toEqual([500, 1_000, 1_200]);
    expect(pieces.map(({ looked }) => looked)).toEqual([500, 500, 200]);
    expect(pieces.flatMap(({ flips }) => flips.map(({ seq }) => seq))).toHaveLength(120);
  });

  it('ends when nobody wants it any more', async () => {
    const abort = new AbortController();
    const pieces = replayInThread(PROGRAM, { file })(work, abort.signal)[Symbol.asyncIterator]();
    expect((await pieces.next()).value).toMatchObject({ throughSeq: 500 });
    abort.abort();
    await expect(pieces.next()).rejects.toThrow('aborted');
  });

  it('says with a code what it could not do', async () => {
    const broken = { ...work, texts: { ...work.texts, draft: 'not: [yet' } };
    const pieces = replayInThread(PROGRAM, { file })(broken, new AbortController().signal);
    await expect(pieces[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'policy.invalid' });
  });
});
