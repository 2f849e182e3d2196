// `node client.mjs <server url>`: our MCP client as the official suite starts it, once for each scenario. What connects,
// logs in and calls is the library as it is built; this file is the person in front of it: it opens the login page that it
// is told to open, fills in forms, and does once what a hint says.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = path.resolve(import.meta.dirname, '../../libs/mcp/dist');
const load = (file) => import(pathToFileURL(path.join(dist, file)).href);
const { connect } = await load('client/connect.js');
const { serverOf } = await load('client/server-config.js');
const { logIn } = await load('login/log-in.js');
const { VaultTokens } = await load('login/vault-tokens.js');

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const url = process.argv.at(-1);

/** The suite's named fixtures: who we are where a server registers nobody, or takes a document for an id. */
const identity = {
  ...(scenario === 'auth/pre-registration' && {
    registered: { client_id: context.client_id, client_secret: context.client_secret },
  }),
  metadataUrl: 'https://conformance-test.local/client-metadata.json',
};
const ARGUMENTS = { add_numbers: { a: 5, b: 3 } };
const MOST_LOGINS = 2;

const kept = new Map();
const tokens = new VaultTokens({
  get: async (name) => kept.get(name),
  set: async (name, value) => void kept.set(name, value),
  remove: async (name) => kept.delete(name),
});
const server = serverOf({ name: 'suite', transport: 'http', url });
const signal = AbortSignal.timeout(25_000);

async function useServer() {
  const parts = {
    environment: {},
    workingFolder: '/',
    credential: async () => undefined,
    authProvider: (one) => tokens.providerFor(one),
    elicit: async () => ({ action: 'accept', content: {} }),
  };
  const connection = await connect(server, parts, signal);
  try {
    const options = { signal, timeoutMs: 10_000 };
    const { tools = [] } = connection.offers('tools')
      ? await connection.request('tools/list', {}, options)
      : {};
    for (const { name } of tools) {
      await connection.request('tools/call', { name, arguments: ARGUMENTS[name] ?? {} }, options);
    }
  } finally {
    await connection.close();
  }
}

/** What a person's browser does: it is sent on, and back to the port that waits for it. */
async function openPage(page) {
  const { headers } = await fetch(page, { redirect: 'manual' });
  await fetch(headers.get('location'));
}

for (let logins = 0; ; logins += 1) {
  try {
    await useServer();
    break;
  } catch (error) {
    if (error.code !== 'mcp.login_needed' || logins === MOST_LOGINS) throw error;
    await logIn(server, { tokens, identity, signal, open: (page) => void openPage(page) });
  }
}
