import type { Command } from 'commander';
import { usageError } from '../report-error.js';
import { runs } from './common-options.js';

/** `wstack` alone: the interactive session. Anything else at the top level is a mistyped command. */
export function startAction(program: Command): (...received: unknown[]) => Promise<void> {
  const start = runs(async () => (await import('../actions/start.js')).start);
  return async (...received) => {
    const [unknown] = program.args;
    if (unknown !== undefined) {
      throw usageError(
        `no command named ${unknown}`,
        `wstack --help lists them; wstack run "${unknown} …" sends a prompt`,
      );
    }
    await start(...received);
  };
}
