import { homedir } from 'node:os';
import path from 'node:path';

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

export function readEnvironment(): Environment {
  const all = { ...process.env };
  const home = homedir();
  return {
    home,
    agentHome: path.resolve(all['WRONGSTACK_HOME'] ?? path.join(home, '.wrongstack')),
    managedDir: MANAGED_DIRS[process.platform] ?? '/etc/wrongstack',
    variable: (name) => all[name],
    all,
  };
}
