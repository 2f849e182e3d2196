// Runs once behind all end-to-end files.
import { once } from 'node:events';
import { rmSync } from 'node:fs';

export default async function stopStack() {
  const { api, browser, folder } = globalThis.__console ?? {};
  if (api === undefined) return;
  await browser.close();
  if (api.exitCode === null) {
    const ended = once(api, 'exit');
    api.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}
