import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { WrongStackError } from '@wrongstack/contracts';

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

/** What the system says; a parameter, since the home folder is read behind `process.env`. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: () => string;
  /** The home folder by the user database, whatever the environment says. */
  readonly accountHome: () => string;
}

const THIS_SYSTEM: System = { env: process.env, homedir, accountHome: () => userInfo().homedir };

export function readEnvironment(system: System = THIS_SYSTEM): Environment {
  const home = homeOf(system);
  // Programs that expand `~` themselves must find the same folder.
  const all: Environment['all'] = isUsable(system.env['HOME'])
    ? { ...system.env }
    : { ...system.env, HOME: home };
  return {
    home,
    agentHome: agentHomeOf(all['WRONGSTACK_HOME'], home),
    managedDir: MANAGED_DIRS[process.platform] ?? '/etc/wrongstack',
    variable: (name) => all[name],
    all,
  };
}

/**
 * An empty or relative `HOME` would mean the working folder: a cloned repository would then hold the person's own
 * configuration, policy and plugins.
 */
function homeOf({ homedir: said, accountHome }: System): string {
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

function agentHomeOf(given: string | undefined, home: string): string {
  if (given === undefined || given === '') return path.join(home, '.wrongstack');
  if (path.isAbsolute(given)) return path.resolve(given);
  throw new WrongStackError('environment.relative_home', `WRONGSTACK_HOME is ${JSON.stringify(given)}`, {
    hint: 'set it to an absolute path: the working folder must not choose it',
  });
}

function isUsable(home: string | undefined): boolean {
  return home === undefined || path.isAbsolute(home);
}
