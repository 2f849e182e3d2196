import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApprovalRequest,
  type ContentBlock,
  type CredentialResolver,
  type ModelRequest,
  type SessionEntry,
  systemClock,
} from '@wrongstack/contracts';
import { type AgentResult, createKernel, type Kernel, type MutationGuard } from '@wrongstack/kernel';
import { FixedPolicies, MemoryTrustStores, NotEnrolled, PolicyEngine } from '@wrongstack/policy';
import { MockModelAdapter, type MockScript } from './mock-model-adapter.js';
import {
  LearningScrubber,
  MemoryAuditLog,
  MemorySessionLog,
  TEST_ACTOR,
  TEST_SESSION,
  type TestAnswer,
  TestApprovals,
} from './test-ports.js';

export interface TestHostOptions {
  readonly projectRoot: string;
  /** What the person says when a call needs a yes; a yes to that one call unless told. */
  readonly answer?: TestAnswer;
  /** Credentials by name, for tools that declare some. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Who may wrap or unregister tools of others; owners only unless told. */
  readonly mayMutate?: MutationGuard;
}

/** One call as the session log has it. */
export interface LoggedCall {
  readonly name: string;
  readonly input: unknown;
  readonly status: string;
  readonly isError: boolean;
  readonly content: readonly ContentBlock[];
  readonly meta: unknown;
  /** The text blocks of the content, one after the other. */
  readonly text: string;
}

export interface TestHost {
  readonly kernel: Kernel;
  /** Everything that the person was asked. */
  readonly asked: readonly ApprovalRequest[];
  readonly requests: readonly ModelRequest[];
  readonly entries: readonly SessionEntry[];
  readonly events: readonly { readonly name: string; readonly payload: unknown }[];
  /** All calls so far that have a result. */
  readonly calls: readonly LoggedCall[];
  /** Let the model say these turns in answer to an input. The conversation goes on from one run to the next. */
  run(turns: MockScript, input?: string, options?: { readonly signal?: AbortSignal }): Promise<AgentResult>;
  dispose(): void;
}

/** The real loop, executor and policy engine over a scripted model, with a person who answers as the test says. */
export function createTestHost(options: TestHostOptions): TestHost {
  const { projectRoot, answer = { kind: 'once' } } = options;
  const home = mkdtempSync(join(tmpdir(), 'wrongstack-test-'));
  const agentHome = join(home, '.wrongstack');
  const session = new MemorySessionLog();
  const approvals = new TestApprovals(answer);
  const model = new MockModelAdapter();
  const kernel = createKernel({
    policy: new PolicyEngine({
      documents: new FixedPolicies([]),
      trust: new MemoryTrustStores(),
      state: new NotEnrolled(),
      clock: systemClock,
      home,
      agentHome,
      scrub: (text) => text,
    }),
    approvals,
    audit: new MemoryAuditLog(),
    scrubber: new LearningScrubber(),
    credentials: resolverOf(options.credentials ?? {}),
    ...(options.mayMutate !== undefined && { mayMutate: options.mayMutate }),
  });
  const events: { name: string; payload: unknown }[] = [];
  kernel.events.onPattern('*', (name, payload) => events.push({ name, payload }));
  const agent = kernel.createAgent({
    session,
    provider: () => model,
    cwd: projectRoot,
    projectRoot,
    scratchDir: join(home, 'scratch'),
    dataDir: agentHome,
    actor: TEST_ACTOR,
    sessionFacts: () => TEST_SESSION,
  });
  return {
    kernel,
    asked: approvals.asked,
    requests: model.requests,
    entries: session.kept,
    events,
    get calls() {
      return callsOf(session.kept);
    },
    async run(turns, input = 'go', { signal } = {}) {
      model.say(...turns);
      return agent.run(input, signal === undefined ? {} : { signal });
    },
    dispose: () => rmSync(home, { recursive: true, force: true }),
  };
}

function resolverOf(credentials: Readonly<Record<string, string>>): CredentialResolver {
  return {
    resolve: async ({ name }) => (Object.hasOwn(credentials, name) ? credentials[name] : undefined),
  };
}

function callsOf(entries: readonly SessionEntry[]): readonly LoggedCall[] {
  const inputs = new Map<unknown, unknown>();
  for (const entry of entries) if (entry.type === 'tool_use') inputs.set(entry['call'], entry['input']);
  return entries.flatMap((entry) => {
    if (entry.type !== 'tool_result') return [];
    // Built-in types are written by the kernel alone, so the entry has that type's fields.
    const { call, name, status, isError, content, meta } = entry as Extract<
      SessionEntry,
      { readonly type: 'tool_result'; readonly call: unknown }
    >;
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    return [{ name, input: inputs.get(call), status, isError, content, meta, text }];
  });
}
