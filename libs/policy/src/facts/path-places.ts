import { WrongStackError, type ToolCall } from '@wrongstack/contracts';
import type { FactFileSystem } from './fact-file-system.js';
import { comparisonFor, type PathComparison } from './inside.js';
import { resolvePath } from './resolve-path.js';

/** The folders that paths are measured against, all real. Made once a call. */
export interface PathPlaces {
  readonly project: string;
  /** As the caller spelt it: a spelling inside this one that leads out is a link that leaves the project. */
  readonly projectSpelling: string;
  readonly home: string;
  readonly agentHome: string;
  readonly scratch: readonly string[];
  readonly comparison: PathComparison;
}

export interface PlaceOptions {
  readonly home: string;
  readonly agentHome: string;
  readonly toolchainScratch: readonly string[];
}

export async function placesOf(
  fs: FactFileSystem,
  call: Pick<ToolCall, 'projectRoot' | 'scratchDirs'>,
  options: PlaceOptions,
): Promise<PathPlaces> {
  const project = await resolvePath(fs, call.projectRoot, '/');
  if (project.status !== 'found' || project.kind !== 'directory') {
    throw new WrongStackError(
      'facts.project_missing',
      `the project folder ${call.projectRoot} cannot be resolved: start in a folder that exists`,
    );
  }
  const real = (path: string) => realOrSpelt(fs, path);
  return {
    project: project.real,
    projectSpelling: call.projectRoot,
    home: await real(options.home),
    agentHome: await real(options.agentHome),
    scratch: await Promise.all([...call.scratchDirs, ...options.toolchainScratch].map(real)),
    comparison: await comparisonFor(fs, project.real),
  };
}

async function realOrSpelt(fs: FactFileSystem, path: string): Promise<string> {
  const found = await resolvePath(fs, path, '/');
  return found.status === 'found' || found.status === 'new' ? found.real : path;
}
