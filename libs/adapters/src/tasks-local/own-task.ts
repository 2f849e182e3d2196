import { isoNow, messageOf, transitioned } from '@wrongstack/contracts';
import type { Clock, NewTask, TaskExit, TaskRecord, TaskState, TaskWork } from '@wrongstack/contracts';
import { OutputWriter } from './output-writer.js';
import type { StoredTask, TaskFiles } from './task-files.js';

export interface OwnTaskParts {
  readonly files: TaskFiles;
  readonly clock: Clock;
  readonly process: StoredTask['process'];
  readonly segmentBytes: number;
  readonly mostBytes: number;
  readonly onChange: (record: TaskRecord) => void;
}

/** One task of this process. Its transitions are written one after the other, each before anybody is told of it. */
export class OwnTask {
  readonly #controller = new AbortController();
  readonly #output: OutputWriter;
  readonly #wakers = new Set<() => void>();
  #record: TaskRecord;
  #steps: Promise<void> = Promise.resolve();
  #killed: string | null = null;

  constructor(
    private readonly parts: OwnTaskParts,
    private readonly task: NewTask,
    record: TaskRecord,
  ) {
    this.#record = record;
    this.#output = new OutputWriter(parts.files.folder(record.id), {
      segmentBytes: parts.segmentBytes,
      mostBytes: parts.mostBytes,
      onWrite: () => this.#wake(),
    });
  }

  get record(): TaskRecord {
    return { ...this.#record, outputBytes: this.#output.end };
  }

  /** What a reader of the files would miss. */
  flush(): void {
    this.#output.flush();
  }

  async run(work: TaskWork): Promise<void> {
    await this.#become('running', null, null);
    const exit = await this.#work(work);
    const { problem } = this.#output;
    this.#output.close();
    await this.#end(
      problem === null
        ? exit
        : {
            ...exit,
            reason: `${exit.reason === null ? '' : `${exit.reason}; `}output is missing: ${problem}`,
          },
    );
  }

  /** Before it ran: nothing has happened, and nothing will. */
  async drop(exit: TaskExit): Promise<void> {
    this.#output.close();
    await this.#become(exit.state, exit.reason, exit);
  }

  async kill(reason: string): Promise<void> {
    if (this.#killed !== null) return;
    this.#killed = reason;
    await this.#become('stopping', reason, null);
    this.#controller.abort(new DOMException(reason, 'AbortError'));
  }

  /** Resolves with new output, or when it has ended. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#wakers.add(resolve));
  }

  async #work(work: TaskWork): Promise<TaskExit> {
    try {
      return await (this.task.adopted ?? work)(this.task.job, this.#output, this.#controller.signal);
    } catch (error) {
      return { state: 'failed', exitCode: null, reason: messageOf(error), result: '', truncated: false };
    }
  }

  async #end(exit: TaskExit): Promise<void> {
    const killed = exit.state === 'killed' ? (this.#killed ?? exit.reason) : exit.reason;
    if (exit.state === 'killed' && this.#killed === null) await this.#become('stopping', exit.reason, null);
    await this.#become(exit.state, killed, { ...exit, reason: killed });
  }

  #become(state: TaskState, reason: string | null, exit: TaskExit | null): Promise<void> {
    const step = this.#steps.then(async () => {
      const { files, clock, process } = this.parts;
      const next = transitioned(this.#record, { state, at: isoNow(clock), reason }, exit);
      this.#record = { ...next, outputBytes: this.#output.end };
      await files.write({ record: this.#record, process });
      this.parts.onChange(this.record);
      this.#wake();
    });
    this.#steps = step.catch(() => undefined);
    return step;
  }

  #wake(): void {
    const wakers = [...this.#wakers];
    this.#wakers.clear();
    for (const wake of wakers) wake();
  }
}
