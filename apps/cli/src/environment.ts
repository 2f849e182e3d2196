import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { homeFolders, type HomeSource } from '@wrongstack/adapters';

/**
 * The only place that reads `process.env`. Nothing here ever comes from a file in the repository that is worked on: a
 * cloned `.env` must not move our home, choose a server or reach a key.
 */
export interface Environment {
  readonly home: string;
  /** `~/.wrongstack`, or `WRONGSTACK_HOME`. */
  readonly agentHome: string;
  /** Managed policies and settings: a place where only an administrator writes; not movable by the environment. */
  readonly managedDir: string;
  /** The value of an environment variable, for credentials that the configuration names. */
  readonly variable: (name: string) => string | undefined;
  readonly all: Readonly<Record<string, string | undefined>>;
}

const MANAGED_DIRS: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/WrongStack',
  win32: 'C:\\ProgramData\\WrongStack',
};

const THIS_SYSTEM: HomeSource = { env: process.env, homedir, accountHome: () => userInfo().homedir };

/** Throws what {@link homeFolders} throws. */
export function readEnvironment(system: HomeSource = THIS_SYSTEM): Environment {
  const { home, agentHome } = homeFolders(system);
  // Programs that expand `~` themselves must find the same folder.
  const all: Environment['all'] = isUsable(system.env['HOME'])
    ? { ...system.env }
    : { ...system.env, HOME: home };
  return {
    home,
    agentHome,
    managedDir: MANAGED_DIRS[process.platform] ?? '/etc/wrongstack',
    variable: (name) => all[name],
    all,
  };
}

function isUsable(home: string | undefined): boolean {
  return home === undefined || path.isAbsolute(home);
}
