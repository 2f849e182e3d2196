import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { nothingAt, type Config } from '@wrongstack/contracts';
import type { BootRequest } from '../app/boot-request.js';

export interface Extensions {
  readonly plugins: boolean;
  readonly mcp: boolean;
}

/** What there is to load, found out with two looks at the disk: a host without extensions pays for no more. */
export async function hasExtensions(
  { paths, projectRoot }: BootRequest,
  config: Config,
): Promise<Extensions> {
  const [own, project] = await Promise.all([
    holdsSomething(path.join(paths.agentHome, 'plugins')),
    holdsSomething(path.join(projectRoot, '.wrongstack', 'plugins')),
  ]);
  return {
    plugins: own || project || Object.keys(config.plugins).length > 0,
    mcp: Object.keys(config.mcp ?? {}).length > 0,
  };
}

async function holdsSomething(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch {
    // What cannot be listed is looked into, and named as what it is.
    return !nothingAt(folder);
  }
}
