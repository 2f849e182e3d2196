import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunView } from '@wrongstack/contracts/wire';
import {
  type LoopbackModelServer,
  type LoopbackTurn,
  startLoopbackModelServer,
} from '@wrongstack/providers/testing';
import { TestApi } from '../test-api.spec-support.js';

/** Reads within the workspace need no rule; of commands, echo and sleep may run. */
const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: server, revision: 1, scope: { tier: user } }
rules:
  - id: allow-some
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: [[echo, sleep]] } }
    because: a test
`;

/** A model's turn that calls one tool. */
export const calls = (name: string, input: unknown): LoopbackTurn => ({
  text: 'I look.',
  calls: [{ name, input }],
  usage: { input: 100, output: 10 },
});
export const says = (text: string, more: Partial<LoopbackTurn> = {}): LoopbackTurn => ({
  text,
  usage: { input: 150, output: 5 },
  ...more,
});

/** An API with a workspace to work in, and a model server on loopback that speaks a real wire format. */
export class RunApi {
  private constructor(
    readonly api: TestApi,
    readonly model: LoopbackModelServer,
    readonly folder: string,
    readonly workspace: string,
  ) {}

  static async start(atOnce = 4): Promise<RunApi> {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-runs-')));
    const allowed = path.join(folder, 'allowed');
    const workspace = path.join(allowed, 'payments');
    mkdirSync(workspace, { recursive: true });
    writeFileSync(path.join(workspace, 'notes.txt'), 'the answer is 42\n');
    const runs = { workspaces: [allowed], atOnce, patienceMs: 3_000 };
    const api = await TestApi.start({ runs }, POLICY);
    const model = await startLoopbackModelServer();
    const made = new RunApi(api, model, folder, workspace);
    made.configure({});
    return made;
  }

  configure(more: object): void {
    const provider = { type: 'anthropic', model: 'test-model', baseUrl: this.model.anthropicUrl };
    const config = { provider, agent: { maxRetries: 0 }, ...more };
    writeFileSync(path.join(this.api.host.agentHome, 'config.json'), JSON.stringify(config));
  }

  async begin(token: string, turns: readonly LoopbackTurn[], more: object = {}): Promise<string> {
    this.model.push(...turns);
    const body = { workspace: this.workspace, prompt: 'what is the answer?', ...more };
    const started = await this.api.request('POST', '/v1/runs', { token, body });
    if (started.status !== 201) throw new Error(`not started: ${started.text}`);
    return String(started.body['id']);
  }

  async show(token: string, id: string): Promise<RunView> {
    const { body } = await this.api.request('GET', `/v1/runs/${id}`, { token });
    // What the route promises.
    return body as unknown as RunView;
  }

  async until(token: string, id: string, ...states: readonly RunView['state'][]): Promise<RunView> {
    for (;;) {
      const run = await this.show(token, id);
      if (states.includes(run.state)) return run;
      if (run.endedAt !== null) throw new Error(`it ended: ${JSON.stringify(run)}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.model.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
