import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { codeOf, WrongStackError } from '@wrongstack/contracts';
import { PRIVATE_FOLDER } from './private-files.js';

/** What the system says; a parameter, since the home folder is read behind `process.env`. */
export interface HomeSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: () => string;
  /** The home folder by the user database, whatever the environment says. */
  readonly accountHome: () => string;
}

export interface HomeFolders {
  readonly home: string;
  /** `~/.wrongstack`, or `WRONGSTACK_HOME`. It need not exist yet: {@link ensureAgentHome}. */
  readonly agentHome: string;
}

/** Absolute paths. Throws `environment.no_home`, `environment.relative_home` or `environment.bad_home`. */
export function homeFolders(source: HomeSource): HomeFolders {
  const home = homeOf(source);
  const given = source.env['WRONGSTACK_HOME'];
  if (given === undefined || given === '') return { home, agentHome: path.join(home, '.wrongstack') };
  if (!path.isAbsolute(given)) {
    throw new WrongStackError('environment.relative_home', `WRONGSTACK_HOME is ${JSON.stringify(given)}`, {
      hint: 'set it to an absolute path: the working folder must not choose it',
    });
  }
  if (given.includes('\0')) throw unusable(given, 'a path holds no NUL');
  return { home, agentHome: path.resolve(given) };
}

/**
 * An empty or relative `HOME` would mean the working folder: a cloned repository would then hold the person's own
 * configuration, policy and plugins.
 */
function homeOf({ homedir: said, accountHome }: HomeSource): string {
  for (const ask of [said, accountHome]) {
    const home = answerOf(ask);
    if (path.isAbsolute(home)) return home;
  }
  throw new WrongStackError('environment.no_home', 'there is no home folder', {
    hint: 'set HOME to an absolute path',
  });
}

function answerOf(ask: () => string): string {
  try {
    return ask();
  } catch {
    return ''; // an account that the user database does not know
  }
}

/** The disk says no to a new folder. Who only reads needs none. */
const NOT_NOW: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/**
 * Makes our folder where it can be made, one level at a time: Node's recursive `mkdir` never returns where the system
 * answers "no such folder" below one that exists (`/proc`, a link that leads nowhere), and everything of ours is made
 * below this one. Throws `environment.bad_home` where it can never be a folder, and for who writes where it cannot be
 * made now.
 */
export function ensureAgentHome(agentHome: string, use: 'read' | 'write'): void {
  const reason = whyNoFolder(agentHome);
  if (reason !== null && (use === 'write' || !NOT_NOW.has(reason))) throw unusable(agentHome, reason);
}

/** Null once the folder exists, else the system's code. */
function whyNoFolder(folder: string): string | null {
  const found = kindOf(folder);
  if (found !== 'ENOENT') return found;
  const above = path.dirname(folder);
  const reason = above === folder ? 'ENOENT' : whyNoFolder(above);
  if (reason !== null) return reason;
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
    return null;
  } catch (error) {
    // Somebody else made it meanwhile, or a link is there that leads nowhere.
    return codeOf(error) === 'EEXIST' ? kindOf(folder) : codeOf(error);
  }
}

/** Null for a folder. */
function kindOf(folder: string): string | null {
  try {
    return statSync(folder).isDirectory() ? null : 'ENOTDIR';
  } catch (error) {
    return codeOf(error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: 'something that is no folder is in the way',
  ENOENT: 'no folder can be made there',
  EACCES: 'permission denied',
  EPERM: 'no folder can be made there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

function unusable(folder: string, reason: string): WrongStackError {
  return new WrongStackError(
    'environment.bad_home',
    `cannot keep anything in ${folder}: ${REASONS[reason] ?? reason}`,
    { hint: 'set HOME or WRONGSTACK_HOME to a folder that you can write to' },
  );
}
