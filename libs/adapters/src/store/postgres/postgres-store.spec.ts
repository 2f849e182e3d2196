import pg from 'pg';
import { openControlStore } from '../open-control-store.js';
import { controlStoreCases } from '../testing/control-store.conformance.js';
import { PostgresServer, postgresMissing } from '../testing/postgres-server.js';

const missing = postgresMissing(process.env['WRONGSTACK_REQUIRE_POSTGRES'] === '1');
if (missing !== null) process.stderr.write(`\n${missing}\n`);
const describeHere = missing === null ? describe : describe.skip;

describeHere('the store on PostgreSQL', () => {
  let server: PostgresServer;
  let template: string;
  beforeAll(async () => {
    server = await PostgresServer.start();
    // Migrated once and copied for each case.
    const databaseUrl = await server.database();
    await (await openControlStore({ databaseUrl })).close();
    template = new URL(databaseUrl).pathname.slice(1);
  }, 60_000);
  afterAll(() => server.remove());

  describe.each(Object.entries(controlStoreCases))('%s', (_subject, cases) => {
    it.each(cases.map(({ name, run }) => [name, run] as const))(
      '%s',
      async (_name, run) => {
        const databaseUrl = await server.database(template);
        const [store, peer] = [
          await openControlStore({ databaseUrl }),
          await openControlStore({ databaseUrl }),
        ];
        const tamper = async (statement: string): Promise<void> => {
          const client = new pg.Client({ connectionString: databaseUrl });
          await client.connect();
          await client.query(statement);
          await client.end();
        };
        try {
          await run({ store, peer, tamper });
        } finally {
          await Promise.all([store.close(), peer.close()]);
        }
      },
      30_000,
    );
  });
});
