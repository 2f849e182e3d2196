import { readFile, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from '../paths/resolve-path.js';
import { realRoot } from '../paths/real-root.js';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'yarn-berry' | 'bun';

/** What the files of a project say about the programs it uses. Nothing of them is run to find out. */
export interface ProjectFacts {
  /** Names of files in the working folder and in the folders above it, up to the project's root. */
  readonly files: ReadonlySet<string>;
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of npm packages that the nearest manifest or the root's asks for. */
  readonly dependencies: ReadonlySet<string>;
  /** Null = no package.json. */
  readonly manager: PackageManager | null;
  /** Sections of pyproject.toml and setup.cfg, as `tool.ruff`. */
  readonly sections: ReadonlySet<string>;
  /** Targets of the makefile in the working folder. */
  readonly targets: ReadonlySet<string>;
}

const MOST_BYTES = 1024 * 1024;

export async function readProjectFacts(cwd: string, projectRoot: string): Promise<ProjectFacts> {
  const folders = await foldersUp(cwd, projectRoot);
  const files = new Set<string>();
  for (const folder of folders) for (const name of await namesIn(folder)) files.add(name);
  const manifests = await Promise.all(folders.map((folder) => readManifest(join(folder, 'package.json'))));
  const [nearest] = manifests.filter((manifest) => manifest !== null);
  const python = await Promise.all(
    folders.flatMap((folder) => ['pyproject.toml', 'setup.cfg'].map((name) => readText(join(folder, name)))),
  );
  return {
    files,
    scripts: nearest?.scripts ?? {},
    dependencies: new Set(manifests.flatMap((manifest) => manifest?.dependencies ?? [])),
    manager: nearest === undefined ? null : managerOf(files, manifests),
    sections: new Set(python.flatMap(sectionsOf)),
    targets: new Set(targetsOf(await readText(join(cwd, 'Makefile')))),
  };
}

async function foldersUp(cwd: string, projectRoot: string): Promise<readonly string[]> {
  const root = await realRoot(projectRoot);
  const folders: string[] = [];
  for (let folder = await realpath(cwd); isInside(root, folder); folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) break;
  }
  return folders;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
}

async function readText(file: string): Promise<string> {
  try {
    const entry = await stat(file);
    return entry.isFile() && entry.size <= MOST_BYTES ? await readFile(file, 'utf8') : '';
  } catch {
    return '';
  }
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: readonly string[];
  readonly packageManager: string;
}

/** Null when there is none, or when it is no JSON object: the package manager itself will say what is wrong with it. */
async function readManifest(file: string): Promise<Manifest | null> {
  const source = await readText(file);
  if (source === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return null;
  }
  const own = (from: unknown, field: string): unknown =>
    typeof from === 'object' && from !== null
      ? Object.getOwnPropertyDescriptor(from, field)?.value
      : undefined;
  const names = (field: string): readonly string[] => Object.keys(Object(own(value, field)) as object);
  // Without a prototype: a script may have any name.
  const scripts: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const name of names('scripts')) {
    const script = own(own(value, 'scripts'), name);
    if (typeof script === 'string') scripts[name] = script;
  }
  const manager = own(value, 'packageManager');
  return {
    scripts,
    dependencies: [...names('dependencies'), ...names('devDependencies'), ...names('peerDependencies')],
    packageManager: typeof manager === 'string' ? manager : '',
  };
}

function managerOf(files: ReadonlySet<string>, manifests: readonly (Manifest | null)[]): PackageManager {
  const named = manifests.map((manifest) => manifest?.packageManager ?? '').find((name) => name !== '') ?? '';
  const berry = files.has('.yarnrc.yml') || /^yarn@(?:[2-9]|\d\d)/.test(named);
  if (files.has('pnpm-lock.yaml') || named.startsWith('pnpm@')) return 'pnpm';
  if (files.has('yarn.lock') || named.startsWith('yarn@')) return berry ? 'yarn-berry' : 'yarn';
  if (files.has('bun.lock') || files.has('bun.lockb') || named.startsWith('bun@')) return 'bun';
  return 'npm';
}

function sectionsOf(source: string): readonly string[] {
  return [...source.matchAll(/^\[{1,2}([\w.:-]+)\]{1,2}/gm)].map((match) =>
    (match[1] ?? '').replace(':', '.'),
  );
}

function targetsOf(source: string): readonly string[] {
  return [...source.matchAll(/^([\w-]+)\s*:(?!=)/gm)].map((match) => match[1] ?? '');
}
