import {
  NOBODY,
  newId,
  systemClock,
  type ActorFacts,
  type Clock,
  type Decision,
  type Identity,
  type RegisteredTool,
  type ToolCall,
} from '@wrongstack/contracts';
import { posix } from 'node:path';
import { FixedPolicies } from '../documents/policy-documents.js';
import type { PolicyDocument, PolicyTest } from '../documents/policy-document.js';
import { emptyDisk } from './empty-disk.js';
import { MemoryTrustStores } from '../trust/memory-trust-store.js';
import { PolicyEngine } from './policy-engine.js';
import { NotEnrolled } from './policy-state-source.js';

export interface PolicyTestResult {
  readonly name: string;
  readonly passed: boolean;
  /** One line that says what came instead; null when it passed. */
  readonly message: string | null;
  /** Null when the call could not be made. */
  readonly decision: Decision | null;
}

export interface PolicyTestOptions {
  /** For tests without a `now` of their own. */
  readonly clock?: Clock;
  /** Documents in force beside the tested one. */
  readonly beside?: readonly PolicyDocument[];
}

const PROJECT = '/project';
const HOME = '/home/somebody';

/**
 * Run a document's own tests through the engine, on a disk that holds nothing but a project and a home folder: the same
 * answer on every machine. The tools' own `describeCall` says what each call would touch.
 */
export async function runPolicyTests(
  document: PolicyDocument,
  tools: readonly RegisteredTool[],
  options: PolicyTestOptions = {},
): Promise<readonly PolicyTestResult[]> {
  const results: PolicyTestResult[] = [];
  for (const test of document.tests ?? []) results.push(await runOne(test, document, tools, options));
  return results;
}

async function runOne(
  test: PolicyTest,
  document: PolicyDocument,
  tools: readonly RegisteredTool[],
  options: PolicyTestOptions,
): Promise<PolicyTestResult> {
  const tool = tools.find(({ name }) => name === test.call.tool);
  if (tool === undefined) {
    return { name: test.name, passed: false, message: `there is no tool ${test.call.tool}`, decision: null };
  }
  const now = test.now === undefined ? (options.clock ?? systemClock).now() : Date.parse(test.now);
  const engine = new PolicyEngine({
    documents: new FixedPolicies([document, ...(options.beside ?? [])]),
    trust: new MemoryTrustStores(),
    state: new NotEnrolled(),
    clock: { now: () => now },
    home: HOME,
    agentHome: `${HOME}/.wrongstack`,
    scrub: (text) => text,
    fs: emptyDisk([PROJECT, HOME, folderOf(test)]),
  });
  const decision = await engine.decide(callOf(test, tool));
  const message = mismatch(test.expect, decision);
  return { name: test.name, passed: message === null, message, decision };
}

function folderOf(test: PolicyTest): string {
  return posix.resolve(PROJECT, test.call.cwd ?? '.');
}

function callOf(test: PolicyTest, tool: RegisteredTool): ToolCall {
  const { interactive = true, yolo = false, sandboxed = false, background = false } = test.session ?? {};
  return {
    id: newId('CallId'),
    tool,
    input: test.call.input ?? {},
    actor: actorOf(test.principal ?? {}),
    // An approver can be reached, so that a rule that asks for one shows as what it is.
    session: { mode: 'default', interactive, yolo, sandboxed, remoteApprovals: true },
    cwd: folderOf(test),
    projectRoot: PROJECT,
    scratchDirs: [],
    background,
    hookDemands: [],
    nesting: 0,
  };
}

function actorOf(principal: NonNullable<PolicyTest['principal']>): ActorFacts {
  const identity = (name: string | undefined): Identity | null =>
    name === undefined ? null : { name, authenticated: true };
  const person: ActorFacts = {
    ...NOBODY,
    org: identity(principal.org),
    team: identity(principal.team),
    user: identity(principal.user),
    roles: (principal.role ?? []).map((name) => ({ name, authenticated: true })),
    agent: identity(principal.agent),
    plugin: principal.plugin ?? null,
  };
  return principal.subagent === true
    ? { ...person, subagentDepth: 1, subagent: 'subagent', parent: person }
    : person;
}

function mismatch(expect: PolicyTest['expect'], decision: Decision): string | null {
  if (decision.verdict !== expect.verdict) {
    return `expected ${expect.verdict}, got ${decision.verdict} by ${decision.by.kind} ${decision.by.id}: ${decision.because}`;
  }
  if (expect.rule !== undefined && !determining(decision).has(expect.rule)) {
    return `expected rule ${expect.rule}, decided by ${decision.by.kind} ${decision.by.id}`;
  }
  const { kind, id, tier } = decision.by;
  if (expect.source !== undefined && ![kind, id, tier].includes(expect.source)) {
    return `expected source ${expect.source}, decided by ${kind} ${id}`;
  }
  return null;
}

/** The deciding rule, and those that would have decided the same: which of two equal denials comes first means nothing. */
function determining(decision: Decision): ReadonlySet<string> {
  const same = decision.floors.flatMap(({ verdict, source, loweredBy }) => {
    if (decision.demanded === 'allow') return loweredBy?.kind === 'rule' ? [loweredBy.id] : [];
    return verdict === decision.demanded && loweredBy === null && source.kind === 'rule' ? [source.id] : [];
  });
  return new Set([...(decision.by.kind === 'rule' ? [decision.by.id] : []), ...same]);
}
