import { Command } from 'commander';

const program = new Command('wstack')
  .version('0.1.0')
  .description('A coding agent governed by one policy engine.');

program.parseAsync(process.argv).catch((error: unknown) => {
  process.stderr.write(`wstack: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
