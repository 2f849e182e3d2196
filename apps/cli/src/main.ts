import { CommanderError } from 'commander';
import { createProgram, exitCodeOfUsage } from './program.js';
import { reportError } from './report-error.js';

async function main(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...argv]);
  } catch (error) {
    // Commander has printed its own two lines already.
    process.exitCode =
      error instanceof CommanderError ? exitCodeOfUsage(error) : reportError(error, argv.includes('--debug'));
  }
}

// The bundle is CommonJS, which has no top-level await; main() itself reports everything.
void main(process.argv);
