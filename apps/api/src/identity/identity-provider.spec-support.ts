import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = path.join(__dirname, 'identity-provider.spec-support.mjs');

export interface ProviderKey {
  readonly jwk: JsonWebKey & { readonly kid: string; readonly alg: string; readonly use: 'sig' };
  readonly key: KeyObject;
}

export interface ProviderOptions {
  readonly port: number;
  readonly audience: string;
  readonly keys: readonly ProviderKey[];
  readonly people: Readonly<
    Record<string, { readonly secret: string; readonly claims: Readonly<Record<string, unknown>> }>
  >;
  readonly console?: { readonly clientId: string; readonly secret?: string; readonly redirectUri: string };
}

export function newProviderKey(kid: string): ProviderKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { key: privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } };
}

/** A real one, listening on loopback. */
export async function startProvider(options: ProviderOptions): Promise<ChildProcess> {
  const plain = { ...options, keys: options.keys.map(({ jwk }) => jwk) };
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(plain)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line === 'listening') return child;
  throw new Error('the identity provider did not start');
}

export async function stopProvider(provider: ChildProcess): Promise<void> {
  if (provider.exitCode !== null || provider.signalCode !== null) return;
  provider.kill('SIGKILL');
  await once(provider, 'exit');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // An address of TCP, since it was told a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
