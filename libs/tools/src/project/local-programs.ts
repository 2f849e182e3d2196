import { access, constants, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { isInside } from '../paths/resolve-path.js';
import { realRoot } from '../paths/real-root.js';

/** Where a project keeps the programs it installed for itself. */
const FOLDERS = ['node_modules/.bin', '.venv/bin', 'venv/bin'];

/** The environment with the folder of the project's own `program` in front, where it has one; never one above it. */
export async function withLocalProgram(
  env: Readonly<Record<string, string>>,
  program: string,
  cwd: string,
  projectRoot: string,
): Promise<Readonly<Record<string, string>>> {
  const root = await realRoot(projectRoot);
  for (let folder = await realpath(cwd); isInside(root, folder); folder = dirname(folder)) {
    for (const name of FOLDERS) {
      const bin = join(folder, name);
      if (await isProgram(join(bin, program)))
        return { ...env, PATH: `${bin}${delimiter}${env['PATH'] ?? ''}` };
    }
    if (dirname(folder) === folder) break;
  }
  return env;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
