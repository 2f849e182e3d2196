import { CommanderError } from 'commander';
import { onClosedReader } from './closed-reader.js';
import { createProgram, exitCodeOfUsage } from './program.js';
import { reportError } from './report-error.js';

async function main(argv: readonly string[]): Promise<void> {
  onClosedReader();
  try {
    await createProgram().parseAsync([...argv]);
  } catch (error) {
    // What commander has to say, it has said already.
    process.exitCode =
      error instanceof CommanderError ? exitCodeOfUsage(error) : reportError(error, argv.includes('--debug'));
  }
}

// The bundle is CommonJS, which has no top-level await; main() itself reports everything.
void main(process.argv);
