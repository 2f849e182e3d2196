/** What a line means to a unified diff, as far as its content does not matter. */
export type DiffLine =
  /** `diff --git a/x b/x`, `diff --cc x`: every name that it may mean. */
  | { readonly kind: 'file'; readonly names: readonly string[] }
  /** `--- a/x`, `+++ b/x`. */
  | { readonly kind: 'side'; readonly names: readonly string[] }
  /** `size` null: a combined diff, or one inside of a graph, whose lines are not counted. */
  | { readonly kind: 'hunk'; readonly size: { readonly old: number; readonly new: number } | null }
  /** Names and modes between the two, no content. */
  | { readonly kind: 'about' }
  | { readonly kind: 'commit' };

/** Colours, and what `git log --graph` and mail clients put before a line. */
const BEFORE = /^(?:\u001b\[[0-9;]{0,16}[A-Za-z]|[ \t|*/\\_>])*/;
const LONGEST_BEFORE = 256;
const COLOUR = /\u001b\[[0-9;]{0,16}[A-Za-z]/g;

const FILE = 'diff --';
const ABOUT =
  /^(?:index [0-9a-f,]+\.\.|(?:old|new|deleted file|new file) mode \d|mode \d|(?:dis)?similarity index \d|(?:rename|copy) (?:from|to) |Binary files )/;

/** Null: nothing that a diff is made of, or content. */
export function readDiffLine(line: string): DiffLine | null {
  const { before, body } = divided(line);
  if (body.startsWith(FILE)) return { kind: 'file', names: namesOf(clean(body)) };
  if (/^(?:---|\+\+\+) /.test(body)) return { kind: 'side', names: namesOf(clean(body)) };
  if (body.startsWith('GIT binary patch')) return { kind: 'hunk', size: null };
  if (body.startsWith('@@')) return hunk(body, before);
  if (isCommit(body, withoutColour(before))) return { kind: 'commit' };
  return ABOUT.test(body) ? { kind: 'about' } : null;
}

/** May a line that begins so turn out to be the beginning of a diff? */
export function mayBecomeDiffLine(beginning: string): boolean {
  const { body } = divided(beginning);
  if (/^\u001b(?:\[[0-9;]{0,16})?$/.test(body)) return true;
  return BEGINNINGS.some((start) => body.startsWith(start) || start.startsWith(body));
}

const BEGINNINGS = [FILE, '--- ', '+++ ', '@@', 'GIT binary patch'];

function divided(line: string): { readonly before: string; readonly body: string } {
  const before = BEFORE.exec(line.slice(0, LONGEST_BEFORE))?.[0] ?? '';
  return { before, body: line.slice(before.length) };
}

/** `* ` is the mark of a commit in a graph; behind any other indent such a line may be content. */
function isCommit(body: string, before: string): boolean {
  if (before === '') return /^(?:commit [0-9a-f]{7,64}\b|From [0-9a-f]{40,64} )/.test(body);
  return before.endsWith('* ') && /^commit [0-9a-f]{7,64}\b/.test(body);
}

function hunk(body: string, before: string): DiffLine {
  const size = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(body);
  if (size === null || withoutColour(before) !== '') return { kind: 'hunk', size: null };
  return { kind: 'hunk', size: { old: Number(size[1] ?? 1), new: Number(size[2] ?? 1) } };
}

export function withoutColour(text: string): string {
  return text.replace(COLOUR, '');
}

function clean(body: string): string {
  return withoutColour(body).replace(/\r?\n$/, '');
}

/** Names may hold spaces, and then the header does not say where one ends: each reading is one more name. */
function namesOf(header: string): readonly string[] {
  const names = [...header.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) => unquoted(quoted));
  const plain = header.replace(/^(?:diff --(?:git|cc|combined)|---|\+\+\+) /, '').split('\t', 1)[0] ?? '';
  const half = plain.slice(0, Math.floor(plain.length / 2));
  return [...names, plain, half, ...plain.split(' ')].filter((name) => name !== '' && name !== '/dev/null');
}

/** As git quotes names: `\303\274`, `\t`, `\"`. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };
  for (const [whole, octal, letter] of text.matchAll(/\\([0-7]{3})|\\(.)|[^\\]/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (letter !== undefined) bytes.push(escapes[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(whole));
  }
  return Buffer.from(bytes).toString('utf8');
}
