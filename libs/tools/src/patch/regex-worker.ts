import { Worker } from 'node:worker_threads';
import { WrongStackError, messageOf } from '@wrongstack/contracts';

export interface RegexReplacement {
  readonly text: string;
  readonly count: number;
}

/**
 * Runs in a thread of its own, because a regular expression can take for ever and nothing but ending its thread stops
 * it. Source text instead of a file: it is the same in a test, in a build and in a bundle.
 */
const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.pattern, workerData.flags);
parentPort.on('message', (text) => {
  let count = 0;
  for (const match of text.matchAll(pattern)) count += match[0].length >= 0 ? 1 : 0;
  if (count * workerData.replacement.length > 64 * 1024 * 1024) throw new Error('its result is too large');
  parentPort.postMessage({ count, text: count === 0 ? '' : text.replace(pattern, workerData.replacement) });
});
`;

/** One pattern over many texts, all within one time limit. Dispose it in every case. */
export class RegexReplacer {
  private readonly worker: Worker;
  private failure: Error | undefined;
  private settle: { resolve: (value: RegexReplacement) => void; reject: (error: Error) => void } | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort: () => void;

  /** Throws `tool.bad_input` for a pattern that does not compile. */
  constructor(
    request: { readonly pattern: string; readonly replacement: string; readonly caseSensitive: boolean },
    timeoutMs: number,
    private readonly signal: AbortSignal,
  ) {
    const flags = request.caseSensitive ? 'gmu' : 'gimu';
    try {
      // Only compiled here: compiling is linear, running is not.
      new RegExp(request.pattern, flags);
    } catch (error) {
      throw new WrongStackError('tool.bad_input', `search is no regular expression: ${messageOf(error)}`, {
        path: '/search',
      });
    }
    this.worker = new Worker(WORKER_SOURCE, {
      eval: true,
      workerData: { ...request, flags },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.worker.on('message', (result: RegexReplacement) => this.settle?.resolve(result));
    this.worker.on('error', (error) => this.fail(regexFailed(messageOf(error))));
    this.timer = setTimeout(() => this.fail(regexFailed(`it took longer than ${timeoutMs} ms`)), timeoutMs);
    this.onAbort = () =>
      this.fail(new WrongStackError('aborted', 'the call was interrupted: nothing was changed'));
    signal.addEventListener('abort', this.onAbort, { once: true });
    if (signal.aborted) this.onAbort();
  }

  /** One text at a time. `text` is empty when nothing matched. */
  async replace(text: string): Promise<RegexReplacement> {
    if (this.failure !== undefined) throw this.failure;
    return new Promise<RegexReplacement>((resolve, reject) => {
      this.settle = { resolve, reject };
      this.worker.postMessage(text);
    });
  }

  async dispose(): Promise<void> {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.onAbort);
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.settle?.reject(this.failure);
    void this.worker.terminate();
  }
}

function regexFailed(why: string): WrongStackError {
  return new WrongStackError(
    'replace.regex_failed',
    `the regular expression was stopped: ${why}; use a simpler one or a literal search, nothing was changed`,
  );
}
