import { names } from './names.js';
import { programName, type ShellWord } from './shell-word.js';

/** Programs that print what a remote side sends. Their output is somebody else's code once an interpreter reads it. */
const FETCHERS = new Set(
  names(`
  curl wget wget2 aria2c fetch lynx links elinks w3m http https xh curlie nc ncat netcat socat telnet
  ftp lftp tftp invoke-webrequest iwr
`),
);

export function isFetcher(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  return name !== null && FETCHERS.has(name.toLowerCase());
}
