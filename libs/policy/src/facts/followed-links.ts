import { posix } from 'node:path';
import type { CommandFacts, PathFact, SimpleCommand } from '@wrongstack/contracts';
import type { FactFileSystem } from './fact-file-system.js';
import type { PathFactReader } from './path-facts.js';

/** Programs that go through a folder and read what the links in it lead to, and what makes them do so. */
const FOLLOWS: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  grep: (words) => has(words, /^(?:--dereference-recursive|-[a-zA-Z]*R[a-zA-Z]*)$/),
  rg: (words) => has(words, /^(?:--follow|-[a-zA-Z]*L[a-zA-Z]*)$/),
  ag: (words) => has(words, /^(?:--follow|-[a-zA-Z]*f[a-zA-Z]*)$/),
  diff: (words) => has(words, /^(?:--recursive|-[a-zA-Z]*r[a-zA-Z]*)$/) && !has(words, /^--no-dereference$/),
  cp: (words) => has(words, /^(?:--dereference|-[a-zA-Z]*L[a-zA-Z]*)$/),
  rsync: (words) => has(words, /^(?:--copy-links|--copy-unsafe-links|-[a-zA-Z]*[Lk][a-zA-Z]*)$/),
  tar: (words) => has(words, /^(?:--dereference|-[a-zA-Z]*h[a-zA-Z]*|[a-zA-Z]*h[a-zA-Z]*)$/),
  zip: (words) => !has(words, /^(?:--symlinks|-[a-zA-Z]*y[a-zA-Z]*)$/),
};
const ALIASES: Readonly<Record<string, string>> = {
  egrep: 'grep',
  fgrep: 'grep',
  zgrep: 'grep',
  ggrep: 'grep',
  gtar: 'tar',
  bsdtar: 'tar',
  gcp: 'cp',
};

const has = (words: readonly string[], option: RegExp): boolean => words.some((word) => option.test(word));

/** Deeper and larger trees are not looked through whole: a decision has to stay quick. */
const MAX_DEPTH = 6;
const MAX_NAMES = 3_000;
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv', 'target', 'dist']);

/**
 * What the links lead to that such a call follows without naming them: outside the project, or beside the folder, where
 * a rule about that place would not be asked.
 */
export async function followedLinks(
  fs: FactFileSystem,
  reader: PathFactReader,
  paths: readonly PathFact[],
  command: CommandFacts,
): Promise<readonly PathFact[]> {
  const found: PathFact[] = [];
  for (const { access, real, inside, command: index } of paths) {
    const caller = index === null ? undefined : command.commands[index];
    if (access !== 'read' || real === null || !inside || caller === undefined || !follows(caller)) continue;
    for (const link of await linksBelow(fs, real, MAX_DEPTH, { left: MAX_NAMES })) {
      const raw = {
        path: link,
        access: 'read',
        command: index,
        bookkeeping: false,
        recursive: true,
      } as const;
      const facts = await reader.read(raw);
      found.push(...facts.filter((fact) => fact.exists && fact.real?.startsWith(`${real}/`) !== true));
    }
  }
  return found;
}

function follows({ argv }: SimpleCommand): boolean {
  const [program = '', ...words] = argv.map((word) => word ?? '');
  const name = posix.basename(program);
  const known = ALIASES[name] ?? name;
  return Object.hasOwn(FOLLOWS, known) && FOLLOWS[known]?.(words) === true;
}

async function linksBelow(
  fs: FactFileSystem,
  folder: string,
  depth: number,
  budget: { left: number },
): Promise<readonly string[]> {
  if (depth === 0 || budget.left <= 0) return [];
  const names = await fs.list(folder, budget.left).catch(() => []);
  budget.left -= names.length;
  const links: string[] = [];
  const folders: string[] = [];
  for (const name of names) {
    const path = posix.join(folder, name);
    const kind = await fs.lstat(path).then(
      (facts) => facts.kind,
      () => null,
    );
    if (kind === 'link') links.push(path);
    if (kind === 'directory' && !SKIPPED.has(name)) folders.push(path);
  }
  for (const inner of folders) links.push(...(await linksBelow(fs, inner, depth - 1, budget)));
  return links;
}
