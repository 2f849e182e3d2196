import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openControlStore } from '../open-control-store.js';
import type { StorePlace } from '../open-control-store.js';
import { problemsOf } from './audit-store.conformance.js';
import { PostgresServer, postgresMissing } from './postgres-server.js';
import { AT, sampleApproval } from './sample-records.js';
import { buildStoreProgram, startStoreProgram } from './store-program.spec-support.js';

const KILLS = 10;
const APPROVALS = 40;

/** Appends records and uses approvals from several sides at once, and prints each as soon as it is acknowledged. */
const WRITER = `
import { openControlStore } from './store/index.js';
import { SampleSource, AT } from './store/testing/sample-records.js';
const [place, round] = [JSON.parse(process.argv[2]), process.argv[3]];
const store = await openControlStore(place);
process.stdout.write('open\\n');
const appending = Array.from({ length: 4 }, async (_, side) => {
  const source = new SampleSource('round-' + round + '/' + side);
  for (let seq = 0; ; seq += 2) {
    await store.audit.append(source.batch(2), AT);
    process.stdout.write('appended ' + source.name + ' ' + seq + '\\nappended ' + source.name + ' ' + (seq + 1) + '\\n');
  }
});
for (let index = 0; index < ${APPROVALS}; index += 1) {
  const use = await store.approvals.use('ap-' + index, 'sha256:call', 'round-' + round, AT);
  if (use.ok) process.stdout.write('used ap-' + index + '\\n');
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await Promise.all(appending);
`;

async function survivesKills(place: StorePlace, folder: string): Promise<void> {
  const program = buildStoreProgram(WRITER, folder);
  const preparing = await openControlStore(place);
  for (let index = 0; index < APPROVALS; index += 1) {
    const id = `ap-${index}`;
    await preparing.approvals.add(sampleApproval(id, { needed: 1 }));
    await preparing.approvals.answer(id, { by: 'bob', answer: 'approve', note: null, at: AT });
  }
  await preparing.close();
  const acknowledged: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const { child, lines, printed, end } = startStoreProgram(program, [JSON.stringify(place), String(round)]);
    await printed('open');
    while (!lines().some((line) => line.startsWith('appended'))) await sleep(5);
    await sleep(20 + Math.random() * 100);
    child.kill('SIGKILL');
    await end;
    acknowledged.push(...lines());
  }
  const store = await openControlStore(place);
  try {
    const kept = new Set<string>();
    const signal = new AbortController().signal;
    for await (const rows of store.audit.stream({ signal })) {
      for (const { source, sourceSeq } of rows) kept.add(`appended ${source} ${sourceSeq}`);
    }
    const appended = acknowledged.filter((line) => line.startsWith('appended'));
    expect(appended.length).toBeGreaterThanOrEqual(2 * KILLS);
    expect(appended.filter((line) => !kept.has(line))).toEqual([]);
    expect(await problemsOf(store)).toEqual([]);
    const used = acknowledged.filter((line) => line.startsWith('used'));
    expect(used.length).toBeGreaterThan(0);
    expect(new Set(used).size).toBe(used.length);
    for (const line of used) {
      const request = await store.approvals.get(line.slice('used '.length), AT);
      expect(request?.state.is).toBe('used');
    }
  } finally {
    await store.close();
  }
}

const missing = postgresMissing(process.env['WRONGSTACK_REQUIRE_POSTGRES'] === '1');
if (missing !== null) process.stderr.write(`\n${missing}\n`);
const itHere = missing === null ? it : it.skip;

describe(`a process that is killed ${KILLS} times while it writes: all that it acknowledged is there, the chain is whole`, () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-kill-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('on SQLite', () => survivesKills({ file: join(folder, 'control.db') }, folder), 180_000);

  itHere(
    'on PostgreSQL',
    async () => {
      const server = await PostgresServer.start();
      try {
        await survivesKills({ databaseUrl: await server.database() }, folder);
      } finally {
        await server.remove();
      }
    },
    180_000,
  );
});
