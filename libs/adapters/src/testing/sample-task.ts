import { NOBODY, newId, newTaskId, sha256 } from '@wrongstack/contracts';
import type { Decision, DecisionId, NewTask, SessionId, TaskExit, TaskJob } from '@wrongstack/contracts';

export interface SampleTask {
  readonly tool?: string;
  readonly input?: unknown;
  readonly user?: string;
  readonly tenant?: string | null;
  readonly session?: string;
  readonly idempotent?: boolean;
  readonly options?: NewTask['options'];
}

/** A task as the executor would queue it; the queue looks at none of what is missing in its decision. */
export function sampleTask({
  tool = 'bash',
  input = { command: 'true' },
  user = 'ada',
  tenant = null,
  session = 's-one',
  idempotent = false,
  options = {},
}: SampleTask = {}): NewTask {
  const job: TaskJob = {
    id: newTaskId(),
    owner: { tenant, user, session: session as SessionId },
    call: newId('CallId'),
    run: newId('RunId'),
    agent: 'main',
    tool,
    definitionDigest: 'sha256:0',
    input,
    // Decisions are made elsewhere: an id is all that a queue needs of one.
    decision: { id: newId('DecisionId') satisfies DecisionId, obligations: [] } as unknown as Decision,
    approval: null,
    actor: {
      ...NOBODY,
      user: { name: user, authenticated: false },
      agent: { name: 'wstack', authenticated: true },
    },
    session: { mode: 'default', interactive: false, yolo: false, sandboxed: false, remoteApprovals: false },
    hookDemands: [],
    nesting: 0,
    cwd: '/',
    projectRoot: '/',
    scratchDir: '/tmp',
  };
  return { job, title: tool, inputDigest: sha256(JSON.stringify(input)), idempotent, options };
}

export function done(part: Partial<TaskExit> = {}): TaskExit {
  return { state: 'completed', exitCode: 0, reason: null, result: 'ok', truncated: false, ...part };
}
