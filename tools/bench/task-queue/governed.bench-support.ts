import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId, silentLogger, type TaskId, type ToolUseBlock } from '@wrongstack/contracts';
import { processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import { openControl } from '../../../apps/api/src/control/open-control.js';
import { createHost } from '../../../apps/api/src/host/create-host.js';
import { readEnvironment } from '../../../apps/api/src/environment.js';

export interface BenchQueue {
  /** One task from its call to its end. Resolves with the milliseconds from `add` to its first line of work. */
  run(): Promise<number>;
  /** One status poll of a task that has ended. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

/** What the API and a worker do for a call in the background, in one process: decision, audit, recheck, all of it. */
export async function openGoverned(url: string): Promise<BenchQueue> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-tasks-'));
  const home = path.join(folder, 'home');
  mkdirSync(home);
  const environment = {
    ...readEnvironment({ WRONGSTACK_HOME: home, WRONGSTACK_PROJECT: folder, REDIS_URL: url }),
    home,
    managedDir: path.join(folder, 'managed'),
  };
  const host = await createHost(environment, true);
  const control = await openControl(environment.control, silentLogger);
  host.central.attach(control.documents);
  host.startTasks(control.control.store);
  const begun = new Map<string, (at: number) => void>();
  host.kernel.tools.registerAllOrThrow([
    {
      name: 'noop',
      description: 'Does nothing.',
      inputSchema: { type: 'object', properties: { key: { type: 'string' } }, additionalProperties: false },
      permission: 'auto',
      riskTier: 'safe',
      mutating: false,
      capabilities: ['session.todo'],
      background: 'always',
      describeCall: () => ({ paths: [], urls: [] }),
      execute: async (input: unknown) => {
        // Checked against the schema above.
        begun.get((input as { key: string }).key)?.(performance.now());
        return 'ok';
      },
    },
  ]);
  const ended = new Map<TaskId, () => void>();
  host.tasks.onChange(({ id, state }) => {
    if (state === 'completed') ended.get(id)?.();
    if (state === 'failed') throw new Error(`bench: a task failed`);
  });
  const session = newId('SessionId');
  const run = newId('RunId');
  const log = { append: async (): Promise<void> => undefined };
  const context = new RunContext({
    cwd: folder,
    projectRoot: folder,
    scratchDir: path.join(folder, 'scratch'),
    dataDir: home,
    sessionId: session,
    runId: run,
    meta: {},
    log: silentLogger,
    entries: log,
    scrubber: host.scrubber,
    reads: new ReadRecords(),
    locks: processPathLocks,
  });
  const person = { name: 'bench', authenticated: true };
  const scope = {
    origin: { session, run, agent: 'main' },
    context,
    actor: {
      org: null,
      team: null,
      user: person,
      roles: [],
      agent: { name: 'bench', authenticated: true },
      plugin: null,
      subagentDepth: 0,
      subagent: null,
      ceiling: null,
      parent: null,
    },
    session: () => ({
      mode: 'default' as const,
      interactive: false,
      yolo: false,
      sandboxed: false,
      remoteApprovals: false,
    }),
    log,
  };
  // What comes before is the decision and its record in the audit log, which every call has.
  const added = new Map<string, number>();
  const add = host.tasks.add.bind(host.tasks);
  host.tasks.add = (task) => {
    added.set(task.job.call, performance.now());
    return add(task);
  };
  let last: TaskId | null = null;
  const signal = new AbortController().signal;
  return {
    async run() {
      const key = newId('CallId');
      const use: ToolUseBlock = { type: 'tool_use', id: key, name: 'noop', input: { key } };
      const started = new Promise<number>((resolve) =>
        begun.set(key, (at) => resolve(at - (added.get(key) ?? at))),
      );
      const { task, result } = await host.kernel.executor.execute(use, scope, signal);
      if (task === null) throw new Error(`bench: not queued: ${JSON.stringify(result)}`);
      last = task.id;
      const end = new Promise<void>((resolve) => ended.set(task.id, resolve));
      const latency = await started;
      begun.delete(key);
      added.delete(key);
      await end;
      ended.delete(task.id);
      return latency;
    },
    async poll() {
      if (last === null || (await host.tasks.get(last)) === null) throw new Error('bench: no such task');
    },
    async close() {
      await host.close(0);
      await control.close();
      await context.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
