import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = path.resolve(__dirname, '../../../api/src/identity/identity-provider.spec-support.mjs');

/** The real provider that the API's own specs use, for a browser: whoever names somebody at its page has signed in as them. */
export class IdentityProvider {
  private constructor(
    private readonly process: ChildProcess,
    readonly issuer: string,
  ) {}

  static async start(
    api: string,
    client: { readonly clientId: string; readonly secret: string },
    people: Readonly<Record<string, { readonly name: string; readonly groups: readonly string[] }>>,
  ): Promise<IdentityProvider> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = { ...privateKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
    const port = await freePort();
    const settings = {
      ...{ port, host: 'localhost', audience: 'https://wrongstack.example', keys: [key] },
      people: Object.fromEntries(
        Object.entries(people).map(([id, claims]) => [id, { secret: 'x'.repeat(32), claims }]),
      ),
      console: { ...client, redirectUri: `${api}/v1/session/oidc/callback` },
    };
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // Another site than the API's 127.0.0.1: what a browser sends across sites counts.
    for await (const line of createInterface({ input: child.stdout }))
      if (line === 'listening') return new IdentityProvider(child, `http://localhost:${port}`);
    throw new Error('the identity provider did not start');
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // An address of TCP, since it was told a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
