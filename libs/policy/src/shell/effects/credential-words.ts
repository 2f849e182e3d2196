import { credentialReason } from '../../facts/credential-paths.js';
import { names } from '../names.js';
import { staticWord, type ShellWord } from '../shell-word.js';
import type { FileUse } from './file-use.js';

/** These look at names, or write them, and show no content of a file that they are given. */
const NAMES_ONLY: ReadonlySet<string> = new Set(
  names(`
    ls dir vdir exa eza stat test [ [[ echo printf basename dirname pathchk which type command hash cd pushd popd chdir
    export declare local readonly typeset unset alias unalias set shift true false : sleep wait kill trap
    read mapfile readarray getopts let eval exec env sudo doas nohup nice timeout time xargs
  `),
);

/** The rows of these say all about their words: what is left is a pattern, a name to compare with, a script. */
const TOLD: ReadonlySet<string> = new Set(
  names(`
    date file du tree realpath readlink find gfind bfs sed gsed awk gawk mawk nawk original-awk xargs gxargs
    dd tar gtar bsdtar unzip funzip unrar 7z 7za 7zz 7zr rar zip curl wget wget2 patch gpatch git
  `),
);

/** Rows of these name what is written; what they are given is shown as well. */
const ALSO_SHOW: ReadonlySet<string> = new Set(['ed', 'ex']);

/** What may stand between the parts of a word: `src=.env`, `@.env`, `1,3:.env`, `.import .env t`. */
const BORDER = /[=@:,;<>|'"`(){}$\s]+/;

/**
 * A program that we know nothing about, given a credential by name, is taken to read it: `gh gist create .env`,
 * `kubectl create secret … --from-env-file=.env`, `iconv .env`. What it does with other files stays unknown, but one that
 * holds credentials is not handed to it unasked. `told`: does a row of the table say what its operands are?
 */
export function handedCredentials(name: string, args: readonly ShellWord[], told: boolean): FileUse[] {
  if (NAMES_ONLY.has(name) || TOLD.has(name) || (told && !ALSO_SHOW.has(name))) return [];
  return args.flatMap((word) => [
    ...credentialParts(word).map((part): FileUse => ({ word: part, access: 'read', guessed: true })),
    ...hiddenCredentials(word),
  ]);
}

/** The parts of a static word that are names of credentials. */
export function credentialParts(word: ShellWord): ShellWord[] {
  if (word.value === null) return [];
  return [word.value, ...word.value.split(BORDER)]
    .filter((part, index, all) => all.indexOf(part) === index && isCredential(part))
    .map((part) => ({ ...staticWord(part), tilde: word.tilde && part.startsWith('~') }));
}

/** `$PWD/.env`, `"$COMMIT":.env`: not static, and yet what it ends in is. */
export function hiddenCredentials(word: ShellWord): FileUse[] {
  if (word.value !== null) return [];
  return word.text
    .split(BORDER)
    .filter((part) => isCredential(part))
    .map((part): FileUse => ({ word: staticWord(part), access: 'read' }));
}

/** `home` matters to a few names only, which the path itself answers for. */
function isCredential(part: string): boolean {
  return part !== '' && part.length <= 4096 && credentialReason(part, '/') !== null;
}
