import { realpathSync } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { WrongStackError, codeOf } from '@wrongstack/contracts';
import { faultOfWord } from '../text/well-formed.js';
import { realRoot } from './real-root.js';

/** As many links as Linux follows before it answers ELOOP. */
const MOST_LINKS = 40;

/** The absolute spelling of a path that a model wrote. Lexical: no link is resolved, nothing is contained. */
export function resolveInput(base: string, input: string): string {
  if (input === '') throw new WrongStackError('path.invalid', 'the path is empty: name a file or folder');
  const fault = faultOfWord(input);
  if (fault !== undefined) throw new WrongStackError('path.invalid', `the path ${fault}`);
  return resolve(base, input);
}

/** By path segments, never by string prefix: `/ws-evil` is not inside `/ws`. */
export function isInside(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** {@link resolveInput}, and the spelling must stay inside `base`. Links are not looked at: see {@link safeResolveReal}. */
export function safeResolve(base: string, input: string): string {
  const path = resolveInput(base, input);
  if (!isInside(base, path)) {
    throw new WrongStackError('path.outside', `${input} is outside ${base}: use a path inside it`);
  }
  return path;
}

/** The real path of `input`, all links followed, which must lie inside the real `base`. The file need not exist. */
export async function safeResolveReal(base: string, input: string): Promise<string> {
  const root = await realRoot(base);
  const { path } = await realTarget(resolveInput(base, input));
  if (!isInside(root, path)) {
    throw new WrongStackError(
      'path.outside',
      `${input} leads to ${path}, outside ${root}: use a path inside it`,
    );
  }
  return path;
}

export interface RealTarget {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Where an absolute path really leads. Of a file that does not exist the nearest existing parent is resolved, and a
 * dangling link is followed: a write would follow it too. Only ENOENT means "new"; every other failure refuses.
 */
export async function realTarget(absolute: string, links = MOST_LINKS): Promise<RealTarget> {
  try {
    // Synchronous: every path of every call comes here, and the asynchronous call takes thirty times as long.
    return { path: realpathSync.native(absolute), exists: true };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unresolvable(absolute, error);
  }
  const target = await danglingTarget(absolute);
  if (target !== undefined) {
    if (links === 0) throw unresolvable(absolute, new Error('too many links'));
    return realTarget(target, links - 1);
  }
  const parent = dirname(absolute);
  if (parent === absolute) throw unresolvable(absolute, new Error('no such folder'));
  const folder = await realTarget(parent, links);
  return { path: join(folder.path, basename(absolute)), exists: false };
}

async function danglingTarget(absolute: string): Promise<string | undefined> {
  try {
    const entry = await lstat(absolute);
    if (!entry.isSymbolicLink()) return undefined;
    return resolve(await realpath(dirname(absolute)), await readlink(absolute));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unresolvable(absolute, error);
  }
}

function unresolvable(path: string, cause: unknown): WrongStackError {
  const reasons: Readonly<Record<string, string>> = {
    ELOOP: 'its links run in a circle',
    ENOTDIR: 'a part of it is a file, not a folder',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ENAMETOOLONG: 'a name in it is too long',
  };
  const reason = reasons[codeOf(cause)] ?? codeOf(cause);
  return new WrongStackError('path.unresolvable', `${path} cannot be resolved: ${reason}`, { cause });
}
