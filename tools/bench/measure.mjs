// CPU of child processes. Node cannot ask for the resource usage of a child it waited for, and a hook inside the child
// would change what is measured; bash's `time` reads it from the kernel, in milliseconds, descendants included.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * One run: user + system CPU in milliseconds. Rejects when the command does not end with `status`. Asynchronous, so that
 * a server which the command talks to may live in this process: its work is not counted.
 * @param {string[]} command
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, status?: number }} [options]
 */
export async function cpuOf(command, { cwd, env, status = 0 } = {}) {
  const script = 'TIMEFORMAT="%3U %3S"; { time "$@" </dev/null >/dev/null 2>/dev/null; } 2>&1';
  const child = spawn('bash', ['-c', script, 'bench', ...command], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[code], output] = await Promise.all([once(child, 'close'), text(child.stdout)]);
  if (code !== status) throw new Error(`bench: "${command.join(' ')}" ended with ${code}, not ${status}.`);
  const [user, system] = output.trim().split(' ').map(Number);
  return (user + system) * 1000;
}

export function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs all in turn, again and again, so that a busy minute of the machine falls on all of them alike. */
export async function interleave(tasks, rounds, warmups) {
  const samples = tasks.map(() => []);
  for (let round = -warmups; round < rounds; round++) {
    for (const [index, task] of tasks.entries()) {
      const sample = await task();
      if (round >= 0) samples[index].push(sample);
    }
  }
  return samples.map(median);
}
