import type { Reply } from './reply.js';

/** When an answer takes more again, or nobody wants it any more. Leaves no listener behind: a long answer waits many times. */
export function drained(raw: Reply['raw'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      raw.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    raw.on('drain', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
