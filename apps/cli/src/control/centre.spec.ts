import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JsonlAuditLog } from '@wrongstack/adapters';
import {
  enrolByCode,
  enrolWithToken,
  IdentityFile,
  readEnrolment,
  type EnrolParts,
} from '@wrongstack/adapters/control';
import { newId, systemClock, type ApprovalRequest, type AuditEntry } from '@wrongstack/contracts';
import { agentPaths } from '../app/agent-paths.js';
import { openCentre, type Centre } from '../app/centre.js';
import { ControlServer, PERSONS_TOKEN } from './control-server.spec-support.js';

const policy = (rule: string): string => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - { id: ${rule}, effect: deny, actions: [net.outbound], because: said so }
`;
const never = new AbortController().signal;

let home: string;
let server: ControlServer;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'centre-'));
  server = new ControlServer();
  await server.start();
});
afterEach(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

const paths = () =>
  agentPaths({
    home,
    agentHome: path.join(home, '.wrongstack'),
    managedDir: path.join(home, 'etc'),
    variable: () => undefined,
    all: {},
  });

const parts = (): EnrolParts => ({
  server: server.address,
  client: { name: 'wstack', version: '0.1.0', platform: 'linux-x64', host: 'laptop' },
  folder: paths().control,
  identity: new IdentityFile(paths().control),
  clock: systemClock,
  enrolment: null,
});

async function open(interactive = false, spoolBytes?: number): Promise<Centre> {
  const centre = await openCentre({
    paths: paths(),
    clock: systemClock,
    scrub: (text) => text.replaceAll('hunter2', '***'),
    interactive,
    ...(spoolBytes !== undefined && { spoolBytes }),
  });
  return centre!;
}

async function enrolled(interactive = false): Promise<Centre> {
  await enrolWithToken(parts(), PERSONS_TOKEN, undefined, never);
  return open(interactive);
}

const rulesOf = async (centre: Centre) =>
  (await centre.policy.load()).documents.flatMap(({ rules }) => rules.map(({ id }) => id));

async function expectPrivate(): Promise<void> {
  const files = await readdir(paths().control, { recursive: true });
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) expect((await stat(path.join(paths().control, name))).mode & 0o077).toBe(0);
}

describe('signing in', () => {
  it('by code shows it, waits, pins the root key and keeps everything private', async () => {
    const shown: string[] = [];
    server.confirmedAfter = 1;
    await enrolByCode(parts(), ({ userCode }) => shown.push(userCode), never);
    expect(shown).toEqual(['BCDF-GHJK']);
    expect(server.seen.filter((one) => one === 'POST enrolments/token')).toHaveLength(2);
    const enrolment = await readEnrolment({ managedFolder: null, folder: paths().control });
    expect(enrolment).toMatchObject({ server: server.address, rootKey: server.rootKey, managed: false });
    await expectPrivate();
  }, 20_000);

  it('ends where the person says no', async () => {
    server.confirmed = 'denied';
    await expect(enrolByCode(parts(), () => undefined, never)).rejects.toMatchObject({
      code: 'enrolment.denied',
    });
    expect(await readEnrolment({ managedFolder: null, folder: paths().control })).toBeNull();
  }, 20_000);

  it('keeps neither the token that it was done with, nor an identity of a server with another root', async () => {
    await enrolWithToken(parts(), PERSONS_TOKEN, undefined, never);
    expect(await readFile(new IdentityFile(paths().control).file, 'utf8')).not.toContain(PERSONS_TOKEN);
    const other = { server: server.address, rootKey: 'A'.repeat(43), managed: true, since: null };
    await expect(
      enrolWithToken({ ...parts(), enrolment: other }, PERSONS_TOKEN, undefined, never),
    ).rejects.toMatchObject({
      code: 'enrolment.other_root',
    });
  });

  it('a managed enrolment comes before the own one, and a broken one is no missing one', async () => {
    await enrolWithToken(parts(), PERSONS_TOKEN, undefined, never);
    const folder = await mkdtemp(path.join(tmpdir(), 'managed-'));
    const places = { managedFolder: folder, folder: paths().control };
    await writeFile(
      path.join(folder, 'managed.json'),
      JSON.stringify({ controlPlane: { server: 'https://ours.example', rootKey: 'A'.repeat(43) } }),
    );
    expect(await readEnrolment(places)).toMatchObject({ server: 'https://ours.example', managed: true });
    await writeFile(path.join(folder, 'managed.json'), '{ "controlPlane": ');
    await expect(readEnrolment(places)).rejects.toMatchObject({ code: 'enrolment.unreadable' });
    await rm(folder, { recursive: true });
  });

  it('signing out leaves the policy in force', async () => {
    server.publish(policy('no-net'));
    const centre = await enrolled();
    await centre.refresher.refresh(never);
    await centre.identityFile.remove();
    const next = await open();
    expect(next.identity).toBeNull();
    expect(await rulesOf(next)).toEqual(['no-net']);
  });
});

describe('the signed policy on a client', () => {
  it('is fetched, verified, kept in private files and asked for with its tag', async () => {
    server.publish(policy('no-net'));
    const centre = await enrolled();
    expect((await centre.report(24)).state).toBe('undetermined');
    expect(await centre.refresher.refresh(never)).toEqual({ accepted: true, refused: null });
    expect((await centre.report(24)).state).toBe('fresh');
    expect(await rulesOf(await open())).toEqual(['no-net']);
    expect(await centre.refresher.refresh(never)).toEqual({ accepted: false, refused: null });
    await expectPrivate();
  });

  it('stays as it was through empty, broken and foreign answers', async () => {
    server.publish(policy('no-net'));
    const centre = await enrolled();
    await centre.refresher.refresh(never);
    const real = server.keys.bind(server);
    const other = new ControlServer();
    server.revision += 1;
    for (const text of ['kind: Nonsense', '', 'a: [']) {
      server.texts = [{ id: 'payments', text }];
      const { refused } = await centre.refresher.refresh(never);
      expect(refused).not.toBeNull();
      expect(await rulesOf(centre)).toEqual(['no-net']);
    }
    server.keys = () => other.keys();
    Reflect.set(server, 'key', other.key);
    expect((await centre.refresher.refresh(never)).refused?.code).toMatch(/^bundle\./);
    expect(await rulesOf(await open())).toEqual(['no-net']);
    server.keys = real;
  });

  it('reaches a session that follows at once, and the server hears what is in force', async () => {
    server.publish(policy('first'));
    const centre = await enrolled();
    const changed = new Promise<void>((resolve) => {
      centre.onChange = () => {
        if (centre.policy.bundle?.revision === 2) resolve();
      };
    });
    centre.follow();
    while (server.heartbeats.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    server.publish(policy('second'));
    await changed;
    expect(await rulesOf(centre)).toEqual(['second']);
    await centre.close();
    expect(server.heartbeats.at(-1)).toMatchObject({
      state: 'fresh',
      bundle: { scope: 'team:payments', revision: 2 },
    });
    // What its clock shows is what the server compares with its own.
    const { time = '' } = server.heartbeats.at(-1) ?? {};
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
  }, 20_000);

  it('does not wait for a server that is away: the end of a command is bounded', async () => {
    server.publish(policy('no-net'));
    const centre = await enrolled();
    server.fault = () => 'drop-before';
    await expect(centre.refresher.refresh(never)).rejects.toMatchObject({ code: 'control.unreachable' });
    await centre.close();
    expect((await centre.report(24)).state).toBe('undetermined');
  });
});

describe('renewing the token', () => {
  it('rotates, and survives answers that were lost before and after the server acted', async () => {
    const centre = await enrolled();
    for (const fault of ['drop-after', 'drop-before', 'drop-after'] as const) {
      server.expireAccess();
      server.fault = ({ path: at }) => (at === 'agents/token' ? fault : null);
      await expect(centre.client.whoAmI(never)).rejects.toMatchObject({ code: 'control.unreachable' });
    }
    server.fault = () => null;
    expect((await centre.client.whoAmI(never)).principal.name).toBe('mira');
    expect(server.revoked).toBe(false);
    const stored = await new IdentityFile(paths().control).read();
    expect(stored?.refreshTokens).toHaveLength(1);
  });

  it('is done once by many at the same time', async () => {
    const centre = await enrolled();
    server.expireAccess();
    const others = await Promise.all([open(), open(), open()]);
    await Promise.all([centre, ...others].map((one) => one.client.whoAmI(never)));
    expect(server.seen.filter((one) => one === 'POST agents/token')).toHaveLength(1);
  });

  it('costs no token while there is no server', async () => {
    const centre = await enrolled();
    server.expireAccess();
    const { address } = server;
    await server.stop();
    for (let round = 0; round < 3; round += 1)
      await expect(centre.client.whoAmI(never)).rejects.toMatchObject({ code: 'control.unreachable' });
    await server.start(Number(new URL(address).port));
    await centre.client.whoAmI(never);
    expect(server.revoked).toBe(false);
  });
});

describe('decisions on their way to the server', () => {
  const entry = (number: number, ts = new Date(Date.now() + 1000).toISOString()): AuditEntry => ({
    kind: 'note',
    ts,
    session: null,
    run: null,
    call: null,
    data: { number },
  });
  const write = async (count: number, make = entry): Promise<string> => {
    const log = new JsonlAuditLog(paths().audit, { reserveBytes: 0, rotateBytes: 4000 });
    for (let number = 0; number < count; number += 1) await log.append(make(number));
    await log.close();
    return log.chain;
  };
  const shipped = (source: string) => (server.records.get(source) ?? []).map(({ seq }) => seq);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('arrive in order and with a chain that the server can check, over several files', async () => {
    const centre = await enrolled();
    const source = await write(60);
    expect(await centre.shipper.ship(never)).toEqual({ shipped: 60, rejected: 0, flagged: [] });
    expect(shipped(source)).toEqual(upTo(60));
    expect(await centre.shipper.ship(never)).toMatchObject({ shipped: 0 });
  });

  it('are sent again after a lost receipt, and are there once', async () => {
    const centre = await enrolled();
    const source = await write(10);
    server.fault = ({ path: at }) => (at === 'audit/batches' ? 'drop-after' : null);
    await expect(centre.shipper.ship(never)).rejects.toMatchObject({ code: 'control.unreachable' });
    server.fault = () => null;
    await (await open()).shipper.ship(never);
    expect(shipped(source)).toEqual(upTo(10));
    expect(server.duplicates).toBe(10);
    expect(server.flagged.size).toBe(0);
  });

  it('leave the person what was decided before the enrolment', async () => {
    const before = await write(3, (number) => entry(number, '2026-01-01T00:00:00Z'));
    const centre = await enrolled();
    await centre.shipper.ship(never);
    expect(server.records.has(before)).toBe(false);
  });

  it('are flagged there where somebody edited the log here', async () => {
    const centre = await enrolled();
    const source = await write(5);
    const file = path.join(
      paths().audit,
      (await readdir(paths().audit)).find((name) => name.includes(source) && name.endsWith('.jsonl'))!,
    );
    await writeFile(file, (await readFile(file, 'utf8')).replace('"number":2', '"number":9'));
    expect((await centre.shipper.ship(never)).flagged).toEqual([source]);
  });

  it('wait for a server that is away, and fill the spool until dangerous calls must stop', async () => {
    await enrolled();
    const centre = await open(false, 2000);
    server.fault = () => 503;
    await write(40);
    await expect(centre.shipper.ship(never)).rejects.toMatchObject({ status: 503 });
    expect(await centre.isSpoolFull()).toBe(true);
    server.fault = () => null;
    await centre.shipper.ship(never);
    expect(await (await open(false, 2000)).isSpoolFull()).toBe(false);
  });
});

describe('approvals by other people', () => {
  const digest = `sha256:${'1'.repeat(64)}`;
  // Only what the channel reads; the kernel's own specs cover the rest of a request.
  const request = () =>
    ({
      id: newId('ApprovalId'),
      call: { id: 'c-1', tool: { name: 'edit' } },
      decision: {
        id: 'd-1',
        verdict: 'approve',
        demanded: 'approve',
        by: { kind: 'rule', id: 'two', document: 'payments', revision: 4 },
        because: 'two people',
        approvalDigest: digest,
        facts: { tool: 'edit', command: null },
      },
      view: { card: 'generic', title: 'edit infra/main.tf with hunter2' },
      approvers: { count: 2, from: ['platform-oncall'], ttlMinutes: 30, excludeRequester: true },
    }) as unknown as ApprovalRequest;
  const only = () => [...server.approvals.values()][0]!;

  it('wait until enough said yes, tell how many have, and use the yes up', async () => {
    const centre = await enrolled(true);
    const counts: number[] = [];
    centre.onApproval = (_request, { have }) => counts.push(have);
    const answer = centre.approvals.ask(request(), never);
    while (server.approvals.size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(only().title).toBe('edit infra/main.tf with ***');
    while (!server.seen.includes('waits')) await new Promise((resolve) => setTimeout(resolve, 20));
    server.answer(only().id, 'omar', 'approve');
    while (counts.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    server.answer(only().id, 'ines', 'approve');
    expect(await answer).toEqual({ kind: 'approved', by: ['omar', 'ines'] });
    expect(counts).toEqual([0, 1, 2]);
    expect(only().state).toBe('used');
  });

  it('are withdrawn when the person stops waiting', async () => {
    const centre = await enrolled(true);
    const stop = new AbortController();
    const answer = centre.approvals.ask(request(), stop.signal);
    while (server.approvals.size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 100));
    stop.abort(new Error('Esc'));
    await expect(answer).rejects.toThrow('Esc');
    expect(only().state).toBe('withdrawn');
  });

  it('park a headless call, which a later process finds again and uses exactly once', async () => {
    const centre = await enrolled();
    const parked = await centre.approvals.ask(request(), never);
    expect(parked).toMatchObject({ kind: 'parked', approval: only().id });
    expect(await (await open()).approvals.ask(request(), never)).toMatchObject({
      kind: 'parked',
      approval: only().id,
    });
    expect(server.approvals.size).toBe(1);
    server.answer(only().id, 'omar', 'approve');
    server.answer(only().id, 'ines', 'approve');
    expect(await (await open()).approvals.ask(request(), never)).toMatchObject({ kind: 'approved' });
    expect(await (await open()).approvals.ask(request(), never)).toMatchObject({ kind: 'parked' });
    expect(server.approvals.size).toBe(2);
  });

  it('survive a receipt of their use that was lost, without being used twice', async () => {
    const centre = await enrolled();
    await centre.approvals.ask(request(), never);
    server.answer(only().id, 'omar', 'approve');
    server.answer(only().id, 'ines', 'approve');
    server.fault = ({ path: at }) => (at.endsWith('/use') ? 'drop-after' : null);
    await expect((await open()).approvals.ask(request(), never)).rejects.toMatchObject({
      code: 'control.unreachable',
    });
    expect(only().state).toBe('used');
    server.fault = () => null;
    expect(await (await open()).approvals.ask(request(), never)).toMatchObject({ kind: 'approved' });
    expect(await (await open()).approvals.ask(request(), never)).toMatchObject({ kind: 'parked' });
  });

  it('say who said no and why', async () => {
    const centre = await enrolled();
    await centre.approvals.ask(request(), never);
    server.answer(only().id, 'omar', 'reject', 'not on a Friday');
    expect(await centre.approvals.ask(request(), never)).toEqual({
      kind: 'no',
      reason: 'omar: not on a Friday',
    });
  });

  it('are no yes while the server cannot be reached', async () => {
    const centre = await enrolled();
    server.fault = () => 'drop-before';
    await expect(centre.approvals.ask(request(), never)).rejects.toMatchObject({
      code: 'control.unreachable',
    });
  });
});
