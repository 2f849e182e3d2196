import { Worker } from 'node:worker_threads';

/**
 * A thread that swaps `<folder>` between a real folder and a link to `target` until it is stopped: the attacker of
 * check-then-use races. Each state is reached by one rename, so the path exists at any moment or is briefly missing.
 */
export function swapFolder(folder: string, target: string): { stop(): Promise<void> } {
  const worker = new Worker(
    `
    const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
    const { workerData, parentPort } = require('node:worker_threads');
    const { folder, target } = workerData;
    let running = true;
    parentPort.on('message', () => { running = false; });
    const attempt = (step) => { try { step(); } catch { /* the other side was faster */ } };
    const turn = () => {
      for (let round = 0; round < 20; round += 1) {
        attempt(() => renameSync(folder, folder + '.real'));
        attempt(() => symlinkSync(target, folder));
        attempt(() => unlinkSync(folder));
        attempt(() => renameSync(folder + '.real', folder));
      }
      if (running) setImmediate(turn); else parentPort.close();
    };
    turn();
    `,
    { eval: true, workerData: { folder, target } },
  );
  return {
    stop: () =>
      new Promise((resolve) => {
        worker.once('exit', () => resolve());
        worker.postMessage('stop');
      }),
  };
}
