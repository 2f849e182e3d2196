import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Moments } from './waiting.bench-support.js';

/** What a worker in a process of its own says. */
interface Said {
  readonly what: 'ready' | 'began' | 'ended';
  readonly name: string;
  readonly at: number;
}

/**
 * A worker in a process of its own, as workers are: what is done about one call does not hold up what is done about its task.
 * `serve` is exported by this bench's bundle, and gets the arguments.
 */
export async function startApart(
  serve: string,
  args: readonly string[],
  { begun, ended }: { readonly begun: Moments; readonly ended: Moments },
): Promise<{ stop(): Promise<void> }> {
  const call = `import(${JSON.stringify(import.meta.url)}).then((m) => m[${JSON.stringify(serve)}](...${JSON.stringify(args)}))`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', call], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', ({ what, name, at }: Said) => {
      if (what === 'ready') resolve();
      else (what === 'began' ? begun : ended).come(name, at);
    });
    child.once('exit', (code) => reject(new Error(`bench: ${serve} ended with ${code}`)));
  });
  await ready;
  return {
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** In such a process. */
export function say(what: Said['what'], name = '', at = 0): void {
  process.send?.({ what, name, at } satisfies Said);
}

/** Ends with the one that started it. */
export function untilAlone(): Promise<void> {
  return new Promise((resolve) => process.once('disconnect', resolve));
}
