import { codeOf, type SpawnWrapper } from '@wrongstack/contracts';
import { spawnStream } from '../process/spawn-stream.js';
import { isInRepository } from './ignore-rules.js';
import { SKIPPED_NAMES } from './skipped-names.js';

/** The path of the binary, or null when there is none for this machine. Injected by tests of the fallback. */
export type LocateRipgrep = () => Promise<string | null>;

export const ripgrepPath: LocateRipgrep = async () => {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch {
    return null;
  }
};

export interface RipgrepRun {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly separator: '\n' | '\0';
  /** One record without its separator. `stop` = enough: the process is ended. */
  readonly onRecord: (record: Buffer) => 'more' | 'stop';
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly sandbox?: SpawnWrapper;
}

export type RipgrepOutcome =
  | { readonly kind: 'done'; readonly exitCode: number | null; readonly stderr: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'timed-out' }
  /** The binary could not be run here. */
  | { readonly kind: 'unavailable' };

/**
 * What both searches share: no configuration file, hidden files, ignore files but none of the person's own (two people
 * get the same answer). Outside a repository `.gitignore` counts too; inside one the option must not
 * be given, or the files above the repository would count as well.
 */
export function commonArgs(folder: string): readonly string[] {
  return [
    ...['--no-config', '--hidden', '--no-ignore-global', '--no-ignore-exclude', '--color', 'never'],
    ...(isInRepository(folder) ? [] : ['--no-require-git']),
    ...[...SKIPPED_NAMES].flatMap((name) => ['--glob', `!${name}`]),
  ];
}

/** A line of a minified file comes as one record. */
const MOST_RECORD_BYTES = 64 * 1024 * 1024;
const MOST_STDERR_CHARACTERS = 4000;

export async function runRipgrep(run: RipgrepRun): Promise<RipgrepOutcome> {
  const enough = new AbortController();
  const records = new RecordSplitter(run, () => enough.abort());
  let stderr = '';
  try {
    const outcome = await spawnStream([run.binary, ...run.args], {
      cwd: run.cwd,
      env: {},
      signal: AbortSignal.any([run.signal, enough.signal]),
      timeoutMs: run.timeoutMs,
      onChunk: ({ stream, bytes }) => {
        if (stream === 'stdout') records.push(bytes);
        else if (stderr.length < MOST_STDERR_CHARACTERS) stderr += bytes.toString('utf8');
      },
      ...(run.sandbox === undefined ? {} : { sandbox: run.sandbox }),
    });
    run.signal.throwIfAborted();
    if (enough.signal.aborted) return { kind: 'stopped' };
    if (outcome.timedOut) return { kind: 'timed-out' };
    // It ends with 0, 1 or 2. Anything else without a record is a binary of another system, or one that was killed.
    if (![0, 1, 2].includes(outcome.exitCode ?? -1) && !records.any) return { kind: 'unavailable' };
    return { kind: 'done', exitCode: outcome.exitCode, stderr };
  } catch (error) {
    if (codeOf(error) === 'spawn.failed') return { kind: 'unavailable' };
    throw error;
  }
}

/** Cuts a byte stream into records; after `stop` it takes nothing more. */
class RecordSplitter {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private stopped = false;
  any = false;
  private readonly separator: number;

  constructor(
    private readonly run: Pick<RipgrepRun, 'onRecord' | 'separator'>,
    private readonly onStop: () => void,
  ) {
    this.separator = run.separator.charCodeAt(0);
  }

  push(bytes: Buffer): void {
    let from = 0;
    for (
      let at = bytes.indexOf(this.separator);
      at !== -1 && !this.stopped;
      at = bytes.indexOf(this.separator, from)
    ) {
      this.take(Buffer.concat([...this.waiting, bytes.subarray(from, at)]));
      this.waiting = [];
      this.waitingBytes = 0;
      from = at + 1;
    }
    if (this.stopped || from >= bytes.length) return;
    this.waiting.push(bytes.subarray(from));
    this.waitingBytes += bytes.length - from;
    if (this.waitingBytes > MOST_RECORD_BYTES) this.stop();
  }

  private take(record: Buffer): void {
    this.any ||= record.length > 0;
    if (record.length > 0 && this.run.onRecord(record) === 'stop') this.stop();
  }

  private stop(): void {
    this.stopped = true;
    this.waiting = [];
    this.onStop();
  }
}
