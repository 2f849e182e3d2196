import assert from 'node:assert/strict';
import type { SessionEntry, SessionStore } from '@wrongstack/contracts';
import type { ConformanceCase } from './conformance-case.js';
import { collect, rejectsWithCode } from './conformance-case.js';

export interface SessionStoreHarness {
  readonly store: SessionStore;
  /** Another store over the same sessions, as another process would have it. */
  readonly again: () => SessionStore;
}

const START = { projectRoot: '/p', cwd: '/p/sub', model: 'some-model', branch: 'main' };
const TS = '2026-01-02T03:04:05.678Z';
const USAGE = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
const note = (n: number): SessionEntry => ({ type: 'test:note', ts: TS, n });
const says = (text: string): SessionEntry => ({
  type: 'user_input',
  ts: TS,
  content: [{ type: 'text', text }],
});
const call = 'c-1' as never;
const run = 'r-1' as never;

export const sessionStoreCases: readonly ConformanceCase<SessionStoreHarness>[] = [
  {
    name: 'a new session begins with how it was started',
    run: async ({ store }) => {
      const log = await store.create(START);
      const [first, ...rest] = await collect(log.entries());
      assert.deepEqual(rest, []);
      assert.ok(first);
      assert.deepEqual(
        { ...first, ts: '' },
        { type: 'session_start', ts: '', version: 1, session: log.id, ...START },
      );
      await log.close();
    },
  },
  {
    name: 'entries come back in order and unchanged, whatever their texts hold',
    run: async ({ store, again }) => {
      const log = await store.create(START);
      const texts = [
        '',
        'a\u2028b\u2029c',
        '\u0000\u0007\u001b[31m',
        'half \ud83d',
        '\udc00',
        '👩‍💻 ü',
        '\r\n',
        '"\\',
      ];
      const entries = texts.map(says);
      await Promise.all(entries.map((entry) => log.append(entry)));
      assert.deepEqual((await collect(log.entries())).slice(1), entries);
      await log.close();
      assert.deepEqual((await collect(again().read(log.id))).slice(1), entries);
    },
  },
  {
    name: 'appends that are not waited for keep their order',
    run: async ({ store }) => {
      const log = await store.create(START);
      const notes = Array.from({ length: 500 }, (_, n) => note(n));
      const written = notes.map((entry) => log.append(entry));
      await log.flush();
      await Promise.all(written);
      assert.deepEqual((await collect(log.entries())).slice(1), notes);
      await log.close();
    },
  },
  {
    name: 'an entry is what it was when it was appended',
    run: async ({ store }) => {
      const log = await store.create(START);
      const entry = { type: 'test:note', ts: TS, list: [1] };
      const written = log.append(entry);
      entry.list.push(2);
      await written;
      assert.deepEqual((await collect(log.entries())).at(-1), { type: 'test:note', ts: TS, list: [1] });
      await log.close();
    },
  },
  {
    name: 'what is no entry is refused and leaves no trace',
    run: async ({ store }) => {
      const log = await store.create(START);
      const bad = [{ type: 'x' }, { ts: TS }, { type: 'x', ts: TS, n: 1n }, null, 'text', undefined];
      for (const entry of bad) await rejectsWithCode(log.append(entry as never), 'session.bad_entry');
      await log.append(note(1));
      assert.equal((await collect(log.entries())).length, 2);
      await log.close();
    },
  },
  {
    name: 'a second writer is refused while the first is open, a reader is not',
    run: async ({ store, again }) => {
      const log = await store.create(START);
      await rejectsWithCode(store.open(log.id), 'session.locked');
      await rejectsWithCode(again().open(log.id), 'session.locked');
      assert.equal((await collect(again().read(log.id))).length, 1);
      await log.close();
      await (await again().open(log.id)).close();
    },
  },
  {
    name: 'a session that is opened again goes on where it ended',
    run: async ({ store, again }) => {
      const log = await store.create(START);
      await log.append(note(1));
      await log.close();
      const next = await again().open(log.id);
      await next.append(note(2));
      assert.deepEqual((await collect(next.entries())).slice(1), [note(1), note(2)]);
      await next.close();
    },
  },
  {
    name: 'a closed log takes no more and can be closed again',
    run: async ({ store }) => {
      const log = await store.create(START);
      const last = log.append(note(1));
      await log.close();
      await last;
      await log.close();
      await rejectsWithCode(log.append(note(2)), 'session.closed');
      assert.equal((await collect(store.read(log.id))).length, 2);
    },
  },
  {
    name: 'a session is found by any prefix that is its alone',
    run: async ({ store }) => {
      const first = await store.create(START);
      const second = await store.create(START);
      await first.close();
      await second.close();
      for (const prefix of [first.id.slice(0, 12), first.id.slice(2, 12)]) {
        const found = await store.open(prefix);
        assert.equal(found.id, first.id);
        await found.close();
      }
      await rejectsWithCode(store.open('s-'), 'session.ambiguous');
      await rejectsWithCode(store.open('s-nothing'), 'session.not_found');
      await rejectsWithCode(collect(store.read('s-nothing')), 'session.not_found');
    },
  },
  {
    name: 'ids that could lead elsewhere are refused',
    run: async ({ store }) => {
      for (const id of [
        '',
        '.',
        '..',
        '../x',
        'a/b',
        'a\\b',
        'a\0',
        '-x',
        's-a.jsonl',
        'a'.repeat(200),
        's-é',
      ]) {
        await rejectsWithCode(store.open(id), 'session.not_found');
        await rejectsWithCode(collect(store.read(id)), 'session.not_found');
      }
    },
  },
  {
    name: 'a listing tells what each session is about and how it stands',
    run: async ({ store, again }) => {
      assert.deepEqual(await store.list(), []);
      const ended = await store.create(START);
      const done: SessionEntry[] = [
        { type: 'run_start', ts: TS, run, resumed: false },
        says('  fix the\n sign  in add '),
        says('and then?'),
        { type: 'tool_use', ts: TS, call, name: 'bash', input: {} },
        {
          type: 'tool_result',
          ts: TS,
          call,
          name: 'bash',
          status: 'denied',
          isError: true,
          content: [],
          durationMs: 1,
        },
        { type: 'run_end', ts: '2099-01-01T00:00:00.000Z', run, status: 'completed', usage: USAGE },
      ];
      for (const entry of done) await ended.append(entry);
      await ended.close();
      const interrupted = await store.create({ ...START, projectRoot: '/q' });
      await interrupted.append({ type: 'run_start', ts: TS, run, resumed: false });
      const whileOpen = await again().list({ projectRoot: '/q' });
      assert.deepEqual(
        whileOpen.map(({ id, state }) => ({ id, state })),
        [{ id: interrupted.id, state: 'open' }],
      );
      await interrupted.close();
      const all = await again().list();
      assert.deepEqual(
        all.map(({ id, state }) => ({ id, state })),
        [
          { id: ended.id, state: 'ended' },
          { id: interrupted.id, state: 'interrupted' },
        ],
      );
      const [summary] = all;
      assert.ok(summary);
      assert.deepEqual(
        { ...summary, startedAt: '' },
        {
          id: ended.id,
          startedAt: '',
          updatedAt: '2099-01-01T00:00:00.000Z',
          projectRoot: '/p',
          branch: 'main',
          preview: 'fix the sign in add',
          calls: 1,
          denials: 1,
          state: 'ended',
        },
      );
    },
  },
];
