import { dirname, join } from 'node:path';
import type { PathException } from '../../shell/store-read.js';
import { credentialReason } from '../credential-paths.js';
import type { FactFileSystem } from '../fact-file-system.js';
import { trackedNames } from './index-names.js';
import { findRepository, kindOf, type GitRepository } from './repository.js';
import { mayBeBlob } from './revision.js';

/** Does one of these hold? `store` is the `.git/objects` of the folder where git runs. What cannot be told does not hold. */
export async function exceptionHolds(
  fs: FactFileSystem,
  store: string,
  exceptions: readonly PathException[],
  home: string,
): Promise<boolean> {
  for (const exception of exceptions) {
    if (await holds(fs, dirname(dirname(store)), exception, home).catch(() => false)) return true;
  }
  return false;
}

async function holds(
  fs: FactFileSystem,
  folder: string,
  exception: PathException,
  home: string,
): Promise<boolean> {
  if (exception.kind === 'files') return areFiles(fs, exception.paths, exception.revisions);
  const repository = await findRepository(fs, folder);
  // git would find none either.
  if (repository === null) return true;
  if (exception.kind === 'no-blob') return !(await mayBeBlob(fs, repository, exception.revision));
  return tracksNoCredential(fs, repository, exception.paths, home);
}

/** Where revisions may stand among the words, one that names nothing on the disk is taken for one. */
async function areFiles(
  fs: FactFileSystem,
  paths: readonly (string | null)[],
  revisions: boolean,
): Promise<boolean> {
  let files = 0;
  for (const path of paths) {
    const kind = path === null ? 'unknown' : await kindOf(fs, path);
    if (kind === 'file') files += 1;
    else if (kind !== null || !revisions) return false;
  }
  return files > 0;
}

/** Only of what lies on the disk: another word is a revision, and the index says nothing about those. */
async function tracksNoCredential(
  fs: FactFileSystem,
  repository: GitRepository,
  paths: readonly (string | null)[],
  home: string,
): Promise<boolean> {
  for (const path of paths) {
    if (path === null || (await kindOf(fs, path)) === null) return false;
  }
  const names = await trackedNames(fs, repository);
  return names.every((name) => credentialReason(join(repository.top, name), home) === null);
}
