import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

const BRANCH = /^ref: refs\/heads\/(.+)$/m;
const WORK_TREE = /^gitdir: (.+)$/m;

/**
 * The branch that is checked out, read from git's own file: starting git would cost more than all the rest. Undefined
 * where there is no repository, or no branch.
 */
export async function currentBranch(projectRoot: string): Promise<string | undefined> {
  const git = path.join(projectRoot, '.git');
  const head = (await textOf(path.join(git, 'HEAD'))) ?? (await headOfWorkTree(projectRoot, git));
  return head === undefined ? undefined : BRANCH.exec(head)?.[1]?.trim();
}

/** In a work tree or submodule `.git` is a file that names the folder. */
async function headOfWorkTree(projectRoot: string, git: string): Promise<string | undefined> {
  const folder = WORK_TREE.exec((await textOf(git)) ?? '')?.[1]?.trim();
  return folder === undefined ? undefined : textOf(path.resolve(projectRoot, folder, 'HEAD'));
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    // The repository may have laid a pipe there, and reading that never ends.
    return (await stat(file)).isFile() ? await readFile(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
