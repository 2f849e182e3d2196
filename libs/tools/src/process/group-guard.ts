import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { shownLimit } from './marked-program.js';
import { MARK_VARIABLE, type ProcessGroup } from './process-group.js';

/**
 * Runs in a small shell beside this process and reads which groups are alive, one line each time that changes. Its input
 * ends when this process does, however it ended: by SIGKILL too, of which no handler hears. Then it kills what was named
 * last. A leader's number that was given to another program meanwhile is known by its start time and left alone.
 */
const SCRIPT = `
live=
while read -r line; do live=$line; done
for round in 1 2 3 4 5; do
  found=
  for entry in $live; do
    leader=\${entry%%:*}; rest=\${entry#*:}; started=\${rest%%:*}; rest=\${rest#*:}
    mark=\${rest%%:*}; limit=\${rest#*:}
    now=$started
    if [ -n "$started" ] && read -r stat 2>/dev/null < "/proc/$leader/stat"; then
      set -- \${stat##*) }; shift 19; now=$1
    fi
    if [ "$now" = "$started" ] && kill -KILL -- "-$leader" 2>/dev/null; then found=yes; fi
    for file in $(
      grep -lszxF -- "${MARK_VARIABLE}=$mark" /proc/[0-9]*/environ 2>/dev/null
      grep -lsF -- "  $limit " /proc/[0-9]*/limits 2>/dev/null
    ); do
      pid=\${file#/proc/}; kill -KILL "\${pid%%/*}" 2>/dev/null && found=yes
    done
  done
  [ -z "$found" ] && break
  sleep 0.1
done
`;

export interface GuardedGroup extends ProcessGroup {
  /** Start time of the leader; empty where the platform does not tell. */
  readonly started: string;
}

/** Ends the groups of this process when it is gone without having ended them itself. */
export class GroupGuard {
  #shell: ChildProcess | null = null;

  /** Says which groups are alive now. Starts the shell with the first of them. */
  watch(groups: Iterable<GuardedGroup>): void {
    const line = Array.from(
      groups,
      ({ leader, started, mark }) => `${leader}:${started}:${mark}:${shownLimit(mark)}`,
    ).join(' ');
    if (this.#shell === null && line === '') return;
    this.#shell ??= this.#start();
    this.#shell?.stdin?.write(`${line}\n`);
  }

  #start(): ChildProcess | null {
    if (process.platform === 'win32') return null;
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      // A session of its own: what is typed at a terminal is not meant for it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = (): void => {
      if (this.#shell === shell) this.#shell = null;
    };
    shell.once('error', forget).once('exit', forget);
    shell.stdin.once('error', forget);
    // It must not keep this process alive: that it ends is what the shell waits for.
    shell.unref();
    // A child's pipe is a socket, which its type does not say.
    (shell.stdin as Socket).unref();
    return shell;
  }
}
