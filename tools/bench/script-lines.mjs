// A bench that is a program of its own, as `npm run bench` has it in its table: each line that it prints is a row, and one
// that ends with OVER has missed its limit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { within } from './within.mjs';

export async function linesOfScript(file, args, mostMs) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // With what it starts itself, so that nothing of it stays behind.
    detached: true,
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  try {
    const [[code], said, complained] = await within(mostMs, file, ended);
    if (code !== 0) throw new Error(`${file} ended with ${code}: ${complaint(complained)}`);
    return said
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ line, ok: !/\bOVER$/.test(line) }));
  } finally {
    ended.catch(() => undefined);
    stop(child);
  }
}

function stop({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Ended, as it should.
  }
}

/** The error, where Node prints where it was thrown and its own version around it. */
function complaint(text) {
  const lines = text.trim().split('\n');
  return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
}
