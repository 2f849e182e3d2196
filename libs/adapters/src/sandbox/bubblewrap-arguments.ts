import { isAbsolute, relative, sep } from 'node:path';
import type { SandboxProfile } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';

export interface SandboxLayout {
  readonly profiles: readonly SandboxProfile[];
  readonly workspace: string;
  readonly cwd: string;
  /** Folders that the child shall not even see: keys, sessions and policy of the agent. They must exist. */
  readonly hidden: readonly string[];
  /** Whether name look-up needs `/run/systemd/resolve`. */
  readonly resolver: boolean;
}

/** Arguments of `bwrap` up to and with `--`. Later mounts cover earlier ones, so the order is the meaning. */
export function bubblewrapArguments(layout: SandboxLayout): string[] {
  const { profiles, workspace, cwd } = layout;
  for (const folder of [workspace, cwd, ...layout.hidden]) requireAbsolute(folder);
  const confinesFiles = profiles.includes('read-only') || profiles.includes('workspace-write');
  const writesWorkspace = profiles.includes('workspace-write') && !profiles.includes('read-only');
  if (writesWorkspace && relative(workspace, '/') === '') {
    throw new WrongStackError('sandbox.bad_workspace', 'the root folder cannot be a sandboxed workspace');
  }
  return [
    // Its own processes and its end with ours: nothing survives, and nothing outside can be signalled or traced.
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...(profiles.includes('no-network') ? ['--unshare-net'] : []),
    ...(confinesFiles ? ['--ro-bind', '/', '/'] : ['--bind', '/', '/']),
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    // Sockets of services (a container engine, the session bus) would lead around every profile.
    '--tmpfs',
    '/run',
    ...(layout.resolver && !profiles.includes('no-network')
      ? ['--ro-bind', '/run/systemd/resolve', '/run/systemd/resolve']
      : []),
    ...(confinesFiles ? privateTemp(workspace, cwd, writesWorkspace) : []),
    ...layout.hidden.flatMap((folder) => ['--tmpfs', folder]),
    '--chdir',
    cwd,
    '--',
  ];
}

/** An empty `/tmp` of its own. What lies below the real one and is needed is put back on top of it. */
function privateTemp(workspace: string, cwd: string, writable: boolean): string[] {
  return [
    '--tmpfs',
    '/tmp',
    writable ? '--bind' : '--ro-bind',
    workspace,
    workspace,
    ...(isInside(cwd, workspace) ? [] : ['--ro-bind', cwd, cwd]),
  ];
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function requireAbsolute(path: string): void {
  if (!isAbsolute(path) || path.includes('\0')) {
    throw new WrongStackError('sandbox.bad_path', `${JSON.stringify(path)} is not an absolute path`);
  }
}
