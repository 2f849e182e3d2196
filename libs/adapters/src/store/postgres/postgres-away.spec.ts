import { openControlStore } from '../open-control-store.js';
import { PostgresServer, postgresMissing } from '../testing/postgres-server.js';
import { AT, SampleSource } from '../testing/sample-records.js';

const missing = postgresMissing(process.env['WRONGSTACK_REQUIRE_POSTGRES'] === '1');
if (missing !== null) process.stderr.write(`\n${missing}\n`);
const describeHere = missing === null ? describe : describe.skip;

const unavailable = { code: 'store.unavailable' };

describeHere('while PostgreSQL is away', () => {
  let server: PostgresServer;
  let databaseUrl: string;
  beforeAll(async () => {
    server = await PostgresServer.start();
    databaseUrl = await server.database();
  }, 60_000);
  afterAll(() => server.remove());

  it('calls fail with a code, and go on by themselves when it is back', async () => {
    const store = await openControlStore({ databaseUrl });
    const source = new SampleSource();
    await store.audit.append(source.batch(2), AT);
    await server.down();
    const batch = source.batch(2);
    await expect(store.audit.append(batch, AT)).rejects.toMatchObject(unavailable);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(store.transaction((tx) => tx.bundleRevision.raise())).rejects.toMatchObject(unavailable);
    await expect(openControlStore({ databaseUrl })).rejects.toMatchObject(unavailable);
    await server.up();
    await store.ping();
    expect((await store.audit.append(batch, AT)).flagged).toEqual([]);
    expect((await store.audit.head()).seq).toBe(4);
    await store.close();
  }, 60_000);

  it('a transaction that loses its connection writes nothing', async () => {
    const store = await openControlStore({ databaseUrl });
    const before = await store.bundleRevision.current();
    const attempt = store.transaction(async (tx) => {
      await tx.bundleRevision.raise();
      await server.down();
      await tx.bundleRevision.raise();
    });
    await expect(attempt).rejects.toMatchObject(unavailable);
    await server.up();
    expect(await store.bundleRevision.current()).toEqual(before);
    await store.close();
  }, 60_000);

  it('a server that does not answer is given up on', async () => {
    const postgres = { connectMs: 500, statementMs: 500, connections: 2 };
    const store = await openControlStore({ databaseUrl, postgres });
    await store.ping();
    server.signalAll('SIGSTOP');
    try {
      await expect(Promise.all([store.ping(), store.ping()])).rejects.toMatchObject(unavailable);
      await expect(store.ping()).rejects.toMatchObject(unavailable);
    } finally {
      server.signalAll('SIGCONT');
    }
    await store.ping();
    await store.close();
  }, 60_000);
});
