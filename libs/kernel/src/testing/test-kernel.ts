import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunId, Tool, ToolUseBlock } from '@wrongstack/contracts';
import { mergeLayers } from '../config/load-config.js';
import { DEFAULT_CONFIG } from '../config/defaults.js';
import { createKernel, type Kernel, type KernelPorts } from '../create-kernel.js';
import type { CallOutcome, CallScope } from '../execution/call-scope.js';
import { RunContext } from '../loop/run-context.js';
import { processPathLocks } from '../loop/path-locks.js';
import { ReadRecords } from '../loop/read-records.js';
import type { Agent } from '../loop/agent.js';
import type { AgentOptions } from '../loop/agent-options.js';
import { InMemoryMetricsSink } from '../metrics/in-memory-metrics-sink.js';
import { silentLogger } from '@wrongstack/contracts';
import { FixedPolicy } from './fixed-policy.js';
import {
  ExactScrubber,
  INTERACTIVE,
  MemoryAudit,
  PERSON,
  ScriptedChannel,
  TickingClock,
} from './memory-ports.js';
import { MemorySession } from './memory-session.js';
import { PlayingProvider, type PlayedTurn } from './playing-provider.js';

export interface Heard {
  readonly name: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- specs look into payloads of every kind
  readonly payload: any;
}

/** A real kernel in a folder of its own, with our own ports in memory. */
export class TestKernel {
  readonly folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  readonly policy = new FixedPolicy();
  readonly channel = new ScriptedChannel();
  readonly audit = new MemoryAudit();
  readonly scrubber = new ExactScrubber();
  readonly metrics = new InMemoryMetricsSink();
  readonly clock = new TickingClock();
  readonly session: MemorySession;
  readonly heard: Heard[] = [];
  readonly waits: number[] = [];
  readonly kernel: Kernel;
  readonly reads = new ReadRecords();

  constructor(
    part: Partial<KernelPorts> = {},
    config: Readonly<Record<string, unknown>> = {},
    session = new MemorySession(),
  ) {
    this.session = session;
    this.kernel = createKernel({
      policy: this.policy,
      approvals: this.channel,
      audit: this.audit,
      scrubber: this.scrubber,
      metrics: this.metrics,
      clock: this.clock,
      random: () => 0,
      sleep: async (milliseconds) => void this.waits.push(milliseconds),
      limits: { graceMs: 40 },
      config: mergeLayers([DEFAULT_CONFIG, config]),
      ...part,
    });
    this.kernel.events.onPattern('*', (name, payload) => this.heard.push({ name, payload }));
  }

  get names(): readonly string[] {
    return this.heard.map(({ name }) => name);
  }

  payloads(name: string): readonly Heard['payload'][] {
    return this.heard.filter((event) => event.name === name).map(({ payload }) => payload as unknown);
  }

  tool(tool: Partial<Tool> & Pick<Tool, 'name'>, owner = 'core'): void {
    this.kernel.tools.register(
      {
        description: `the ${tool.name} tool`,
        inputSchema: { type: 'object' },
        permission: 'auto',
        mutating: false,
        riskTier: 'safe',
        execute: async () => 'done',
        ...tool,
      },
      owner,
    );
  }

  context(): RunContext {
    return new RunContext({
      cwd: this.folder,
      projectRoot: this.folder,
      sessionId: this.session.id,
      runId: 'r-test' as RunId, // tests name their runs
      scratchDir: join(this.folder, 'scratch'),
      dataDir: join(this.folder, 'data'),
      meta: {},
      log: silentLogger,
      entries: this.session,
      scrubber: this.scrubber,
      reads: this.reads,
      locks: processPathLocks,
    });
  }

  scope(): CallScope {
    const context = this.context();
    return {
      origin: { session: this.session.id, run: context.runId, agent: 'main' },
      context,
      actor: PERSON,
      session: () => INTERACTIVE,
      log: this.session,
    };
  }

  async call(
    request: ToolUseBlock,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<CallOutcome> {
    return this.kernel.executor.execute(request, this.scope(), signal);
  }

  agent(
    turns: readonly PlayedTurn[],
    part: Partial<AgentOptions> = {},
  ): { agent: Agent; provider: PlayingProvider } {
    const provider = new PlayingProvider([...turns]);
    const agent = this.kernel.createAgent({
      session: this.session,
      provider: () => provider,
      cwd: this.folder,
      projectRoot: this.folder,
      scratchDir: join(this.folder, 'scratch'),
      dataDir: join(this.folder, 'data'),
      actor: PERSON,
      sessionFacts: () => INTERACTIVE,
      ...part,
    });
    return { agent, provider };
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The text of an outcome's blocks. */
export function textOf(outcome: Pick<CallOutcome, 'result'>): string {
  return outcome.result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
