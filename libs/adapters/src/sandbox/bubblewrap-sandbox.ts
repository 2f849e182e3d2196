import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import type { SandboxProfile, SpawnWrapper } from '@wrongstack/contracts';
import { Sandbox, WrongStackError, codeOf } from '@wrongstack/contracts';
import { bubblewrapArguments } from './bubblewrap-arguments.js';

/** Fixed places: a `bwrap` that somebody put on the search path would be anything but a sandbox. */
const PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];
const PROBE_TIMEOUT_MS = 5_000;
const RESOLVER = '/run/systemd/resolve';

export interface BubblewrapSandboxOptions {
  /** Absolute path of `bwrap`; the usual places when missing. */
  readonly program?: string;
  /** Folders that children shall not see; those that do not exist are skipped. */
  readonly hidden?: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/** Confines children with bubblewrap (Linux namespaces). */
export class BubblewrapSandbox extends Sandbox {
  private probed: Promise<string | null> | undefined;

  constructor(private readonly options: BubblewrapSandboxOptions = {}) {
    super();
  }

  override unavailable(): Promise<string | null> {
    return (this.probed ??= this.probe());
  }

  override wrapper(profiles: readonly SandboxProfile[], workspace: string): SpawnWrapper {
    const program = this.program();
    if (program === null) {
      throw new WrongStackError('sandbox.unavailable', 'no sandbox: bubblewrap is not installed', {
        hint: 'install bubblewrap',
      });
    }
    const hidden = this.options.hidden ?? [];
    return (argv, { cwd }) => {
      if (argv.length === 0) throw new WrongStackError('sandbox.empty_command', 'no command to confine');
      const layout = {
        profiles,
        workspace,
        cwd,
        hidden: hidden.filter((folder) => existsSync(folder)),
        resolver: existsSync(RESOLVER),
      };
      return [program, ...bubblewrapArguments(layout), ...argv];
    };
  }

  /** Whether the strictest profile really runs here: an installed `bwrap` may still be refused its namespaces. */
  private async probe(): Promise<string | null> {
    const platform = this.options.platform ?? process.platform;
    if (platform !== 'linux') return `no sandbox on ${platform}: bubblewrap needs Linux`;
    if (this.program() === null) return 'no sandbox: bubblewrap is not installed';
    const wrap = this.wrapper(['read-only', 'no-network'], '/usr');
    const [program, ...args] = wrap(['/bin/sh', '-c', ':'], { cwd: '/usr' });
    if (program === undefined) return 'no sandbox: bubblewrap is not installed';
    return new Promise((resolve) => {
      const options = { timeout: PROBE_TIMEOUT_MS, windowsHide: true };
      execFile(program, args, options, (error, _stdout, stderr) => {
        if (error === null) return resolve(null);
        const said = stderr.replace(/\s+/g, ' ').trim().slice(0, 200) || codeOf(error);
        resolve(`no sandbox: bubblewrap does not run here (${said})`);
      });
    });
  }

  private program(): string | null {
    const candidates = this.options.program === undefined ? PLACES : [this.options.program];
    return candidates.find(isExecutable) ?? null;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
