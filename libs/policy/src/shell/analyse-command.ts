import { CommandCollector } from './command-collector.js';
import { CommandRunner } from './command-runner.js';
import type { RunPlace } from './run-place.js';
import { ScriptWalker } from './script-walker.js';
import type { ShellAnalysis, ShellPlace } from './shell-analysis.js';
import { quoteForPeople, staticWord } from './shell-word.js';
import { WorkingFolder } from './working-folder.js';

export type { ImpliedHost, ImpliedPath, ShellAnalysis, ShellPlace } from './shell-analysis.js';

const MAX_LENGTH = 64 * 1024;

/**
 * What a command line (a string, bash) or an argument vector (an array, no shell) would run and touch. Pure, and never
 * throws: what cannot be understood comes back as `unparsed`, with the reason.
 */
export function analyseCommand(claim: string | readonly string[], where: ShellPlace): ShellAnalysis {
  const text = typeof claim === 'string' ? claim : claim.map(quoteForPeople).join(' ');
  const collector = new CommandCollector();
  if (text.length > MAX_LENGTH) collector.unparsed(`longer than ${MAX_LENGTH / 1024} KiB`);
  else analyse(claim, text, where, collector);
  return {
    command: {
      text,
      commands: collector.finished(),
      unparsed: collector.unparsedReason !== null,
      unparsedReason: collector.unparsedReason,
    },
    paths: collector.paths,
    hosts: collector.hosts,
  };
}

function analyse(
  claim: string | readonly string[],
  text: string,
  where: ShellPlace,
  collector: CommandCollector,
): void {
  const place: RunPlace = {
    folder: WorkingFolder.at(where.cwd, where.home),
    traits: [],
    through: [],
    depth: 0,
    source: text,
    fetchedInput: false,
    output: 'shown',
  };
  const runner: CommandRunner = new CommandRunner(collector, (code, inside) => walker.text(code, inside));
  const walker = new ScriptWalker(collector, (draft, at, stdin, assigned) =>
    runner.run(draft, at, stdin, assigned),
  );
  try {
    if (typeof claim === 'string') {
      if (text.includes('\0')) collector.unparsed('a NUL character');
      walker.text(text, place);
    } else {
      runner.run(
        collector.add(
          claim.map((word) => staticWord(word)),
          { ...place, text },
        ),
        place,
      );
    }
  } catch (error) {
    // A fault of the parser or of ours must not become a command that nobody looked at.
    // Only a chain of thousands of operators recurses that far.
    if (error instanceof RangeError) return collector.unparsed('an expression that is too long to follow');
    collector.unparsed(`the analysis failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
