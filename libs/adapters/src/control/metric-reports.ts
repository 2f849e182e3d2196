import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@wrongstack/contracts';
import type { MetricsReport } from '@wrongstack/contracts/wire';
import { mayBeAlive, ownIdentity, type ProcessIdentity } from '../files/process-identity.js';
import { ensurePrivateFolder, writePrivateFile } from '../files/private-files.js';
import type { Growth } from '../metrics/series-growth.js';
import type { AgentSession } from './agent-session.js';
import { Arrivals, type WrittenReport } from './arrivals.js';
import { ControlProblem } from './control-http.js';
import { OpenReport } from './open-report.js';

interface StoredReport extends WrittenReport {
  /** Who may still add to it; once it is sealed nobody does. */
  readonly owner?: ProcessIdentity;
}

/** A machine that hears of no server for long keeps so many reports; the oldest go first. */
const MOST_REPORTS = 500;
/** Refused for what they are: they would be refused again. 404 is a server that takes none yet. */
const NEVER = [400, 404, 413, 422];
const SEALED = '.json';
const OPEN = '.open';

/**
 * What the counters and histograms of command lines grew by, on its way to the server. Each process has one open report on disk, to which it
 * adds; whoever sends it seals it first, so that nothing is ever added to what was sent, and sends it under a key that counts once.
 * So a lost answer or a killed process counts nothing twice, and a kill loses no more than came after the last `keep`.
 */
export class MetricReports {
  #open: OpenReport | null = null;
  /** One after the other: a report that is being written must not be sealed meanwhile. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Not while something is written: a slow server must not hold up what a kill would lose. */
  #sending: Promise<unknown> = Promise.resolve();
  /** Null until somebody wants to know. */
  #arrivals: Arrivals | null = null;

  constructor(
    private readonly session: Pick<AgentSession, 'send'>,
    private readonly folder: string,
    private readonly now: () => number,
    private readonly takeGrowth: () => Growth,
  ) {}

  /** Writes down what has grown since the last time. */
  keep(): Promise<void> {
    return this.#inTurn(() => this.#keep());
  }

  /** Sends what is there, the oldest first; how many were taken. Throws what `send` throws where the server is away: they stay. */
  ship(signal: AbortSignal): Promise<number> {
    const sent = this.#sending.then(async () => {
      const before = await this.#sendSealed(signal);
      // Sealed only now that the server answers: while it is away one report a process takes it all.
      await this.#inTurn(async () => {
        await this.#keep();
        await this.#seal();
      });
      return before + (await this.#sendSealed(signal));
    });
    this.#sending = sent.catch(() => undefined);
    return sent;
  }

  /** From now on it is known what the server took and has not been asked about since. */
  noteArrivals(): void {
    this.#arrivals ??= new Arrivals();
  }

  /** What the server has not been asked about since it took it, each report once; `written` as of `written()`. */
  unheard(written: readonly WrittenReport[]): readonly MetricsReport[] {
    return this.#arrivals?.unheard(written) ?? written;
  }

  /** What lies on disk: the server may have taken some of it a moment ago. */
  written(): Promise<readonly WrittenReport[]> {
    return this.#inTurn(async () => {
      await this.#keep();
      const names = [...(await this.#names(SEALED)), ...(await this.#names(OPEN))];
      const read = await Promise.all(names.map((name) => this.#read(name)));
      return read.filter((report) => report !== null);
    });
  }

  /**
   * Asks the server what it has, while nothing of this process is on its way to it: its answer has all that it took before and nothing that
   * it takes after. `heard` is called with it at the moment from which the reports before it are in it.
   */
  ask<Answer>(question: () => Promise<Answer>, heard: (answer: Answer) => void): Promise<void> {
    const asked = this.#sending.then(async () => {
      const answer = await question();
      heard(answer);
      this.#arrivals?.wereHeard();
    });
    this.#sending = asked.catch(() => undefined);
    return asked;
  }

  async #keep(): Promise<void> {
    const day = new Date(this.now()).toISOString().slice(0, 10);
    for (const part of OpenReport.parts(this.takeGrowth())) {
      if (this.#open !== null && !this.#open.fits(day, part)) {
        await this.#write(this.#open);
        await this.#sealOwn();
      }
      this.#open ??= new OpenReport(randomUUID(), day, this.now());
      this.#open.add(part);
    }
    if (this.#open !== null) await this.#write(this.#open);
  }

  async #write(open: OpenReport): Promise<void> {
    if (!open.hasUnwritten) return;
    await ensurePrivateFolder(this.folder);
    const stored: StoredReport = { key: open.key, owner: ownIdentity(), ...open.report() };
    await writePrivateFile(join(this.folder, `${open.name}${OPEN}`), JSON.stringify(stored));
    open.wasWritten();
    await this.#forgetOldest();
  }

  /** Ours, and those of processes that have ended. */
  async #seal(): Promise<void> {
    await this.#sealOwn();
    for (const file of await this.#names(OPEN)) {
      const owner = (await this.#read(file))?.owner;
      if (owner === undefined || !mayBeAlive(owner)) await this.#sealFile(file.slice(0, -OPEN.length));
    }
  }

  async #sealOwn(): Promise<void> {
    if (this.#open !== null) await this.#sealFile(this.#open.name);
    this.#open = null;
  }

  async #sealFile(name: string): Promise<void> {
    try {
      await rename(join(this.folder, `${name}${OPEN}`), join(this.folder, `${name}${SEALED}`));
    } catch (error) {
      // Another process was quicker, which only happens to what nobody adds to.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }

  async #sendSealed(signal: AbortSignal): Promise<number> {
    let taken = 0;
    for (const name of await this.#names(SEALED)) {
      const report = await this.#read(name);
      if (report !== null) {
        const { key, owner: _owner, ...body } = report;
        try {
          const headers = { 'idempotency-key': key };
          await this.session.send({ method: 'POST', path: 'metrics/deltas', body, headers }, signal);
          this.#arrivals?.add(key, body);
          taken += 1;
        } catch (error) {
          if (!(error instanceof ControlProblem) || !NEVER.includes(error.status)) throw error;
        }
      }
      await rm(join(this.folder, name), { force: true });
    }
    return taken;
  }

  async #forgetOldest(): Promise<void> {
    const names = [...(await this.#names(SEALED)), ...(await this.#names(OPEN))].sort();
    for (const name of names.slice(0, Math.max(0, names.length - MOST_REPORTS)))
      await rm(join(this.folder, name), { force: true });
  }

  async #names(ending: string): Promise<readonly string[]> {
    const all = await readdir(this.folder).catch(() => []);
    return all.filter((name) => name.endsWith(ending)).sort();
  }

  /** Null where it is gone (another process sent it) or torn (a machine lost power): there is nothing to send. */
  async #read(name: string): Promise<StoredReport | null> {
    try {
      // Written by this class in a folder that only this person writes; the server checks every field again.
      const report = JSON.parse(await readFile(join(this.folder, name), 'utf8')) as Partial<StoredReport>;
      const { key, counters } = report;
      return typeof key === 'string' && Array.isArray(counters) ? { ...report, key, counters } : null;
    } catch {
      return null;
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }
}
