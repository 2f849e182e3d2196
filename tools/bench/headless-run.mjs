// What one headless run with one tool call needs: a small project, a home of its own, and a model on loopback that
// speaks the real stream format. The model lives in this process, so its CPU is not counted.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ENOUGH_RUNS = 500;

export async function prepareHeadlessRun() {
  // From the build, which `npm run bench` makes first.
  const { startLoopbackModelServer } = await import('../../libs/providers/dist/testing/index.js');
  const folder = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-'));
  const project = path.join(folder, 'project');
  const home = path.join(folder, 'home');
  mkdirSync(project);
  mkdirSync(home);
  writeFileSync(path.join(project, 'notes.txt'), 'one\ntwo\nthree\n');

  const turns = Array.from({ length: ENOUGH_RUNS }, () => [
    { calls: [{ name: 'read', input: { path: 'notes.txt' } }] },
    { text: 'It has three lines.' },
  ]);
  const server = await startLoopbackModelServer(turns.flat());
  const provider = { type: 'anthropic', model: 'bench', baseUrl: server.anthropicUrl };
  writeFileSync(path.join(home, 'config.json'), JSON.stringify({ provider }));

  return {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, WRONGSTACK_HOME: home, ANTHROPIC_API_KEY: 'not-a-real-key' },
    // A run that fails early is quick; such a number must not pass for a good one.
    verify: () => {
      const asked = server.requests.length;
      if (asked !== 2) throw new Error(`bench: the run asked the model ${asked} times, not twice.`);
    },
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
