import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NOBODY, newId, silentLogger, type TaskId, type ToolUseBlock } from '@wrongstack/contracts';
import type { CallScope } from '@wrongstack/kernel';
import { openControl } from '../../../apps/api/src/control/open-control.js';
import { openWorkerControl } from '../../../apps/api/src/control/open-worker-control.js';
import { createHost } from '../../../apps/api/src/host/create-host.js';
import { type Environment, readEnvironment } from '../../../apps/api/src/environment.js';
import type { ApiHost } from '../../../apps/api/src/host/api-host.js';
import { type BodyName, bodyOf, contextIn } from './bodies.bench-support.js';
import { say, startApart, untilAlone } from './apart.bench-support.js';
import { type BenchQueue, Moments, now } from './waiting.bench-support.js';

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: bench, revision: 1, scope: { tier: user } }
rules:
  - id: allow-echo
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: ["echo"] } }
    because: the bench's own work
`;

/**
 * What the API and a worker do for a call in the background: decision, audit, recheck, all of it. In one process, so that its CPU is
 * all there is, or `apart`, as they are.
 */
export async function openGoverned(
  url: string,
  bodyName: BodyName,
  { apart = false } = {},
): Promise<BenchQueue> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-tasks-'));
  const home = path.join(folder, 'home');
  mkdirSync(home);
  writeFileSync(path.join(home, 'policy.yaml'), POLICY);
  const environment = environmentIn(folder, url);
  const host = await createHost(environment, !apart);
  const control = await openControl(environment.control, silentLogger);
  host.central.attach(control.documents);
  host.startTasks(control.control.store);
  const begun = new Moments();
  const ended = new Moments();
  const worker = apart ? await startApart('serveGoverned', [url, bodyName, folder], { begun, ended }) : null;
  const { tool, input } = bodyOf(bodyName, folder, host.scrubber, (key) => begun.come(key));
  host.kernel.tools.registerAllOrThrow([tool]);
  if (!apart) onEnd(host, (id) => ended.come(id));
  const scope = scopeIn(folder, host.scrubber);
  // What comes before is the decision and its record in the audit log, which every call has.
  const added = new Map<string, number>();
  const add = host.tasks.add.bind(host.tasks);
  const ends = new Map<string, Promise<number>>();
  host.tasks.add = (task) => {
    added.set(task.job.call, now());
    ends.set(task.job.call, ended.of(task.job.id));
    return add(task);
  };
  let last: TaskId | null = null;
  const signal = new AbortController().signal;
  return {
    async run() {
      const key = newId('CallId');
      const use: ToolUseBlock = { type: 'tool_use', id: key, name: tool.name, input: input(key) };
      const start = begun.of(key);
      const { task, result } = await host.kernel.executor.execute(use, scope, signal);
      if (task === null) throw new Error(`bench: not queued: ${JSON.stringify(result)}`);
      last = task.id;
      const at = await start;
      await ends.get(key);
      const latency = at - (added.get(key) ?? at);
      added.delete(key);
      ends.delete(key);
      return latency;
    },
    async poll() {
      if (last === null || (await host.tasks.get(last)) === null) throw new Error('bench: no such task');
    },
    async close() {
      await worker?.stop();
      await host.close(0);
      await control.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** For a process of its own. */
export async function serveGoverned(url: string, bodyName: BodyName, folder: string): Promise<void> {
  const environment = environmentIn(folder, url);
  const host = await createHost(environment, true);
  const control = await openWorkerControl(environment.control, silentLogger);
  host.central.attach(control.documents);
  const { tool } = bodyOf(bodyName, folder, host.scrubber, (key) => say('began', key, now()));
  host.kernel.tools.registerAllOrThrow([tool]);
  onEnd(host, (id) => say('ended', id));
  host.startTasks(control.control.store);
  say('ready');
  await untilAlone();
  await host.close(0);
  await control.close();
}

function environmentIn(folder: string, url: string): Environment {
  const home = path.join(folder, 'home');
  return {
    ...readEnvironment({ WRONGSTACK_HOME: home, WRONGSTACK_PROJECT: folder, REDIS_URL: url }),
    home,
    managedDir: path.join(folder, 'managed'),
  };
}

function onEnd(host: ApiHost, ended: (id: TaskId) => void): void {
  host.tasks.onChange(({ id, state, exit }) => {
    if (state === 'completed') ended(id);
    if (state === 'failed') throw new Error(`bench: a task failed: ${exit?.reason}`);
  });
}

function scopeIn(folder: string, scrubber: Parameters<typeof contextIn>[1]): CallScope {
  const context = contextIn(folder, scrubber);
  return {
    origin: { session: context.sessionId, run: context.runId, agent: 'main' },
    context,
    actor: {
      ...NOBODY,
      user: { name: 'bench', authenticated: true },
      agent: { name: 'bench', authenticated: true },
    },
    session: () => ({
      mode: 'default' as const,
      interactive: false,
      yolo: false,
      sandboxed: false,
      remoteApprovals: false,
    }),
    log: { append: async () => undefined },
  };
}
