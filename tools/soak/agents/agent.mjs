import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../../libs/contracts/dist/index.js';
import { AgentLog } from './agent-log.mjs';
import { Connection } from './connection.mjs';
import { RECORDS_A_BATCH, WAIT_SECONDS } from './rates.mjs';

/** One enrolled client: waits for its bundle, says that it lives, ships what it decided. `told` counts what it does. */
export class Agent {
  log = new AgentLog();
  /** Revision of the bundle that it holds, and when it got it by the clock of this machine. */
  held = { revision: 0, at: 0 };
  connected = false;
  #etag = null;
  #shipAt;

  constructor(url, shipEveryMs, told) {
    this.url = url;
    this.shipEveryMs = shipEveryMs;
    this.#shipAt = Date.now() + Math.random() * shipEveryMs;
    this.told = told;
  }

  /** `owner`: the connection of whoever it is to act for. */
  async enrol(owner, number) {
    const client = { name: 'soak', version: '1', platform: 'linux-x64', host: `machine-${number}` };
    const body = { client, refreshHash: sha256(`wsr_${randomBytes(32).toString('base64url')}`) };
    const answer = await owner.send('POST', '/v1/agents', { body });
    if (answer.status !== 201) throw new Error(`enrolment: ${answer.status} ${answer.text}`);
    const { agent, scope, accessToken } = JSON.parse(answer.text);
    Object.assign(this, { id: agent.id, scope, connection: new Connection(this.url, accessToken) });
  }

  async live(stopping) {
    let wait = 0;
    while (!stopping()) {
      try {
        await this.#poll(wait);
        await this.#heartbeat();
        if (Date.now() >= this.#shipAt) await this.ship();
        wait = WAIT_SECONDS;
      } catch (error) {
        if (stopping()) return;
        this.connected = false;
        this.told.failed(error);
        wait = 0;
        await sleep(1_000 + Math.random() * 1_000);
      }
    }
  }

  async ship() {
    this.#shipAt = Date.now() + this.shipEveryMs;
    const answer = await this.#send('POST', '/v1/audit/batches', { body: this.log.batch(RECORDS_A_BATCH) });
    this.log.take(JSON.parse(answer.text));
  }

  async #poll(wait) {
    const path = `/v1/bundles/${encodeURIComponent(this.scope)}${wait === 0 ? '' : `?wait=${wait}`}`;
    const headers = this.#etag === null ? {} : { 'if-none-match': this.#etag };
    const answer = await this.#send('GET', path, { headers, timeoutMs: (wait + 20) * 1000 });
    this.connected = true;
    if (!answer.headers['wrongstack-timestamp']) throw new Error('a bundle without a signed time');
    if (answer.status === 304) return;
    this.#etag = answer.headers.etag;
    const { payload } = JSON.parse(answer.text);
    const { revision } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    this.held = { revision, at: Date.now() };
  }

  async #heartbeat() {
    const body = {
      ...{ version: '1', platform: 'linux-x64', state: 'fresh', policyVersions: ['policy.wrongstack/v1'] },
      bundle: { scope: this.scope, epoch: 1, revision: this.held.revision },
      ...{ auditPending: 0, refused: null, time: new Date().toISOString() },
    };
    await this.#send('POST', '/v1/heartbeats', { body });
  }

  async #send(method, path, options) {
    const answer = await this.connection.send(method, path, options);
    this.told.answered(answer.status);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }
}
