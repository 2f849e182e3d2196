import { WrongStackError, type ToolOptions } from '@wrongstack/contracts';
import { badInput } from '../read-input.js';
import { childEnvironment, type Environment } from '../process/child-environment.js';
import { spawnStream } from '../process/spawn-stream.js';
import { GIT_CONFIG } from '../shell/git-commands.js';

const MOST_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** The index has no name among refs; every other version is a commit. */
export const INDEX = 'index';

/**
 * How git is asked for one version of a file. `cat-file blob` prints the stored bytes: no filter, no text conversion and
 * no external diff of the repository's configuration runs. Pure, so that it is claimed as it runs.
 */
export function blobArgv(ref: string, name: string): readonly string[] {
  return ['git', 'cat-file', 'blob', `${ref === INDEX ? '' : ref}:./${name}`];
}

/** A ref is data: never an option, never a path in another tree. */
export function refuseRef(ref: string): void {
  if (!/^[A-Za-z0-9_][\w./@{}^~+-]*$/.test(ref) || ref.includes('..')) {
    throw badInput('ref', `${JSON.stringify(ref)} is no commit, branch or tag`);
  }
}

/** Null when that version has no such file. */
export async function readBlob(
  place: { readonly ref: string; readonly name: string; readonly cwd: string },
  environment: Environment,
  opts: ToolOptions,
): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  const outcome = await spawnStream(blobArgv(place.ref, place.name), {
    cwd: place.cwd,
    env: { ...childEnvironment(environment, GIT_CONFIG), LC_ALL: 'C' },
    signal: opts.signal,
    timeoutMs: TIMEOUT_MS,
    onChunk: (chunk) => {
      if (chunk.stream === 'stderr') stderr = (stderr + chunk.bytes.toString('utf8')).slice(0, 2000);
      else {
        bytes += chunk.bytes.length;
        if (bytes <= MOST_BYTES) chunks.push(chunk.bytes);
      }
    },
    ...(opts.sandbox === undefined ? {} : { sandbox: opts.sandbox }),
  });
  opts.signal.throwIfAborted();
  if (outcome.exitCode === 0 && bytes <= MOST_BYTES) return Buffer.concat(chunks);
  if (/does not exist in|exists on disk, but not in|is in the index, but not/.test(stderr)) return null;
  const reason = bytes > MOST_BYTES ? 'it is too large' : (stderr.split('\n')[0] ?? 'git failed');
  throw new WrongStackError('diff.git_failed', `git has no ${place.ref} version of ${place.name}: ${reason}`);
}
