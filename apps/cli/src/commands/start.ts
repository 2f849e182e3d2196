import type { Command } from 'commander';
import { usageError } from '../report-error.js';
import { runs } from './common-options.js';

/** `wstack` alone: the interactive session. Anything else at the top level is a mistyped command. */
export function startAction(program: Command): (...received: unknown[]) => Promise<void> {
  const start = runs(async () => (await import('../actions/start.js')).start);
  return async (...received) => {
    const [unknown] = program.args;
    if (unknown !== undefined) {
      const { nearestName } = await import('../terminal/error-lines.js');
      const near = nearestName(
        unknown,
        program.commands.map((command) => command.name()),
      );
      throw usageError(
        `no command named ${unknown}`,
        near === null ? 'wstack --help lists them' : `did you mean ${near}?`,
      );
    }
    await start(...received);
  };
}
