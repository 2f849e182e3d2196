import type { ShellAnalysis, ShellPlace } from './shell-analysis.js';

export type { ImpliedHost, ImpliedPath, ShellAnalysis, ShellPlace } from './shell-analysis.js';

/** What a command line (a string, bash) or an argument vector (an array, no shell) would run and touch. Never throws. */
export function analyseCommand(claim: string | readonly string[], _where: ShellPlace): ShellAnalysis {
  const text = typeof claim === 'string' ? claim : claim.join(' ');
  return {
    command: { text, commands: [], unparsed: true, unparsedReason: 'the command could not be analysed' },
    paths: [],
    hosts: [],
  };
}
