// What `npm run bench` measures, in this order. Each group gives the rows of its table, what it looked at in full (for
// --json), and what it could not measure.
import { measureConsoleScroll } from './console-scroll.mjs';
import { measureEditor } from './editor.mjs';
import { measureInProcess } from './in-process.mjs';
import { shown } from './print-table.mjs';
import { linesOfScript } from './script-lines.mjs';
import { measureStartUp } from './start-up.mjs';
import { measureTaskQueue } from './task-queue.mjs';

const SCRIPT_MS = 10 * 60_000;

/**
 * @typedef {{ ok: boolean }} Result
 * @type {{ name: string, about: string, header: string[], cells: (result: any) => unknown[],
 *   measure: (options: { rounds: number }) => Promise<{ results: Result[], broken?: { name: string, error: string }[] }> }[]}
 */
export const groups = [
  {
    name: 'start-up',
    about: 'whole processes of the command line, beside `node -e 0`',
    header: ['process', 'CPU ms', 'x node', 'limit', ''],
    cells: ({ name, milliseconds, ratio, limit, ok }) => [name, milliseconds, ratio, limit, verdict(ok)],
    measure: measureStartUp,
  },
  {
    name: 'in-process',
    about: 'one thing many times, beside what it is built on',
    header: ['in process', 'CPU us', 'x base', 'limit', '', 'base'],
    cells: ({ name, microseconds, ratio, limit, ok, baseline }) => [
      ...[name, microseconds, ratio, limit, verdict(ok)],
      baseline ?? '',
    ],
    measure: async (options) => ({ results: await measureInProcess(options) }),
  },
  {
    name: 'editor',
    about: "what an editor's agent costs, beside a headless run",
    header: ['in an editor', '', 'unit', 'x run', 'limit', ''],
    cells: ({ name, value, unit, ratio, limit, ok }) => [name, value, unit, ratio, limit, verdict(ok)],
    measure: async (options) => ({ results: await measureEditor(options) }),
  },
  {
    name: 'tasks',
    about: 'background tasks with all their governance, beside bare BullMQ (needs redis-server)',
    header: ['background tasks', 'ours', 'bare', 'ratio', '', 'limit'],
    cells: ({ name, ours, base, ratio, ok, limit }) => [name, ours, base, ratio, verdict(ok), limit],
    measure: async (options) => ({ results: await measureTaskQueue(options) }),
  },
  {
    name: 'console',
    about:
      'an audit log of 100,000 rows that is scrolled in a browser (needs chromium, and the console built)',
    header: ['in a browser', '', 'unit', 'limit', ''],
    cells: ({ name, value, unit, limit, ok }) => [name, value, unit, limit, verdict(ok)],
    measure: async () => ({ results: await measureConsoleScroll() }),
  },
  script('decisions', 'a decision over HTTP, beside an empty route and beside one insert', 'decisions.mjs'),
  script('replay', 'a draft replayed on 20,000 recorded decisions', 'replay.mjs', ['--count=20000']),
];

function script(name, about, file, args = []) {
  return {
    name,
    about,
    header: [name],
    cells: ({ line }) => [line],
    measure: async () => ({ results: await linesOfScript(file, args, SCRIPT_MS) }),
  };
}

function verdict(ok) {
  return ok ? 'ok' : 'OVER';
}

export function rowOf({ cells }, result) {
  return cells(result).map(shown);
}
