import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { silentLogger } from '@wrongstack/contracts';
import { openControl, type ControlParts } from '../../../apps/api/src/control/open-control.js';
import { createApplication } from '../../../apps/api/src/create-application.js';
import { readEnvironment } from '../../../apps/api/src/environment.js';
import { createHost } from '../../../apps/api/src/host/create-host.js';
import { createFirstAdmin } from '../../../apps/api/src/identity/first-admin.js';
import { newCredential } from '../../../apps/api/src/identity/credential.js';

// What tools/bench/decisions.mjs starts: `server.mjs api <folder> <rules>` or `server.mjs empty`. Answers over IPC.

@Controller()
class EmptyController {
  @Post('empty')
  @HttpCode(200)
  empty(@Body() _body: unknown): { readonly ok: true } {
    return { ok: true };
  }
}

@Module({ controllers: [EmptyController] })
class EmptyModule {}

const [mode, folder = '', rules = '1000'] = process.argv.slice(2);
if (mode === 'empty') {
  const app = await NestFactory.create<NestFastifyApplication>(EmptyModule, new FastifyAdapter(), {
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  answer(async (ask) => (ask === 'cpu' ? cpu() : null));
  process.send?.({ url: `${await app.getUrl()}/empty`, tokens: [''] });
} else {
  const agentHome = path.join(folder, 'home', '.wrongstack');
  const projectRoot = path.join(folder, 'project');
  for (const one of [agentHome, projectRoot]) mkdirSync(one, { recursive: true });
  const environment = {
    ...readEnvironment({ ...process.env, WRONGSTACK_HOME: agentHome, WRONGSTACK_PROJECT: projectRoot }),
    home: path.join(folder, 'home'),
  };
  const host = await createHost(environment, false);
  const control = await openControl(environment.control, silentLogger);
  const consoleDir = path.join(folder, 'console');
  const app = await createApplication({
    host,
    control,
    log: silentLogger,
    consoleDir,
    requestsPerMinute: 100_000_000,
  });
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  await publish(url, (await createFirstAdmin(control.control)) ?? '', Number(rules));
  // A person for each connection: one caller may send only so many requests a minute.
  const tokens = await Promise.all(
    Array.from({ length: 32 }, (_, index) => developer(control, `bench-${index}`)),
  );
  const { audit } = control.control.store;
  answer(async (ask) => {
    switch (ask) {
      case 'cpu':
        return cpu();
      case 'without insert':
        audit.append = async ({ source, records }) => ({
          ...{ source, appended: records.length, duplicates: 0, repeated: [], flagged: [] },
          head: { seq: 1, hash: '' },
        });
        return null;
      case 'insert':
        return inserts(control, 1);
      case 'insert 32':
        return inserts(control, 32);
      default:
        return null;
    }
  });
  process.send?.({ url: `${url}/v1/decisions`, tokens });
}

function answer(work: (ask: string) => Promise<unknown>): void {
  process.on('message', (ask: string) => {
    void work(ask).then((value) => process.send?.({ value }));
  });
  process.on('disconnect', () => process.exit());
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Rows as the newest decision has it, so many at once, each answered when it is committed: milliseconds each. */
async function inserts({ control: { store } }: ControlParts, atOnce: number): Promise<readonly number[]> {
  const { items } = await store.audit.search({ kind: 'decision' }, { limit: 1 });
  const [row] = items;
  if (row === undefined) throw new Error('bench: no decision was recorded');
  const { index, entry } = row;
  const taken: number[] = [];
  let seq = 0;
  const oneAfterAnother = async (): Promise<void> => {
    while (seq < 400) {
      seq += 1;
      const hash = `sha256:${seq.toString(16).padStart(64, '0')}`;
      const source = `bench/${process.pid}-${atOnce}-${seq}`;
      const began = performance.now();
      await store.audit.append(
        { source, records: [{ seq: 0, prev: null, hash, index, entry }] },
        row.receivedAt,
      );
      taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, oneAfterAnother));
  return taken;
}

async function developer({ control: { store } }: ControlParts, person: string): Promise<string> {
  const { id, token, secretHash } = newCredential('wst');
  const at = new Date().toISOString();
  await store.identities.addUser({
    ...{ id: person, name: person, email: null, subject: null, teams: ['payments'] },
    ...{ roles: ['developer'], createdAt: at, disabledAt: null },
  });
  await store.tokens.add({
    ...{ id, kind: 'api', name: person, secretHash, principal: { id: person, kind: 'user' } },
    ...{ teams: [], roles: [], scopes: ['*'], createdBy: person, createdAt: at },
    ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
  });
  return token;
}

/** A fifth of the rules are about commands, as in decide.bench.ts; one of them allows this call. */
async function publish(url: string, token: string, count: number): Promise<void> {
  const rule = (index: number): object => ({
    id: `rule-${index}`,
    effect: ['deny', 'confirm', 'allow'][index % 3],
    actions: [index % 5 === 0 ? 'shell.arbitrary' : ['fs.write', 'net.outbound', 'memory.read'][index % 3]],
    when: { command: { argv: [`tool-${index}`, ['delete', 'drain', 'purge-*']] } },
    because: 'a rule of the benchmark',
  });
  const text = JSON.stringify({
    apiVersion: 'policy.wrongstack/v1',
    kind: 'CapabilityPolicy',
    metadata: { id: 'bench', revision: 1, scope: { tier: 'org' } },
    rules: [
      ...Array.from({ length: count - 1 }, (_, index) => rule(index)),
      {
        id: 'npm',
        effect: 'allow',
        actions: ['*'],
        when: { command: { argv: ['npm', 'test'] } },
        because: 'routine',
      },
    ],
  });
  const post = async (route: string, body: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { status, ...rest } = await fetch(`${url}/v1/${route}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (status !== 201) throw new Error(`bench: ${route} answered ${status} ${JSON.stringify(rest)}`);
  };
  await post('policies', { text });
  await post('policies/bench/publications', { expectedRevision: 0, note: 'bench' });
}
