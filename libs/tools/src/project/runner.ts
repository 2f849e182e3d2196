import type { PackageManager, ProjectFacts } from './project-facts.js';

/** What a call asks a runner for. Paths are operands already: they start with `./` or `/`, never with a dash. */
export interface RunRequest {
  readonly paths: readonly string[];
  /** `lint`: change what can be changed. */
  readonly fix: boolean;
  /** `format`: only say what is not formatted. */
  readonly check: boolean;
  /** `test`: part of the names of the tests to run. */
  readonly filter: string | undefined;
  /** `install`: packages to add; none = what the project asks for. */
  readonly packages: readonly string[];
  readonly dev: boolean;
  readonly allowScripts: boolean;
}

export const PLAIN_REQUEST: RunRequest = {
  paths: [],
  fix: false,
  check: false,
  filter: undefined,
  packages: [],
  dev: false,
  allowScripts: false,
};

/** One program that does what a tool is for. */
export interface Runner {
  /** What a model may name to choose it. */
  readonly id: string;
  readonly detect: (facts: ProjectFacts) => boolean;
  /** Null = this program cannot do what is asked. Pure: what is claimed is what runs. */
  readonly argv: (request: RunRequest) => readonly string[] | null;
  /** The project's own script: its words are its author's, so it comes first where nothing more is asked for. */
  readonly script?: true;
}

export type Need = 'paths' | 'fix' | 'check' | 'filter' | 'packages';

export function needsOf(request: RunRequest): readonly Need[] {
  const needs: readonly (readonly [Need, boolean])[] = [
    ['paths', request.paths.length > 0],
    ['fix', request.fix],
    ['check', request.check],
    ['filter', request.filter !== undefined],
    ['packages', request.packages.length > 0],
  ];
  return needs.filter(([, needed]) => needed).map(([need]) => need);
}

/** `program` with what `build` adds, where it can do no more than `able`. */
export function runner(
  id: string,
  detect: (facts: ProjectFacts) => boolean,
  able: readonly Need[],
  build: (request: RunRequest) => readonly string[],
): Runner {
  return {
    id,
    detect,
    argv: (request) => (needsOf(request).every((need) => able.includes(need)) ? build(request) : null),
  };
}

const MANAGERS: readonly PackageManager[] = ['npm', 'pnpm', 'yarn', 'bun'];

export function isManager(facts: ProjectFacts, manager: PackageManager): boolean {
  if (facts.manager === null) return false;
  return facts.manager === manager || (facts.manager === 'yarn-berry' && manager === 'yarn');
}

/** `npm run lint` and the same of the other package managers. Nothing is passed on into a script's shell. */
export function scriptRunners(script: string): readonly Runner[] {
  return MANAGERS.map((manager) => ({
    ...runner(
      `${manager}-script`,
      (facts) => isManager(facts, manager) && isRealScript(facts.scripts[script]),
      [],
      () => [manager, 'run', script],
    ),
    script: true,
  }));
}

/** What `npm init` writes for tests only says that there are none. */
function isRealScript(script: string | undefined): boolean {
  return script !== undefined && !script.includes('no test specified');
}

/** Some file with one of the names, or a dependency. */
export function hasAny(facts: ProjectFacts, ...names: readonly (string | RegExp)[]): boolean {
  return names.some((name) =>
    typeof name === 'string'
      ? facts.files.has(name) || facts.dependencies.has(name)
      : [...facts.files].some((file) => name.test(file)),
  );
}

export function orHere(paths: readonly string[], otherwise = '.'): readonly string[] {
  return paths.length === 0 ? [otherwise] : paths;
}
