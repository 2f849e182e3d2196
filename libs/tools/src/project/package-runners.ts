import { hasAny, isManager, runner, type Runner } from './runner.js';
import type { PackageManager, ProjectFacts } from './project-facts.js';

const by = (manager: PackageManager) => (facts: ProjectFacts) =>
  facts.manager !== null && isManager(facts, manager);
const classic = (facts: ProjectFacts): boolean => facts.manager === 'yarn';
const berry = (facts: ProjectFacts): boolean => facts.manager === 'yarn-berry';
const usesPip = (facts: ProjectFacts): boolean =>
  hasAny(facts, 'requirements.txt', 'pyproject.toml', 'setup.py');
const usesGo = (facts: ProjectFacts): boolean => facts.files.has('go.mod');
const usesCargo = (facts: ProjectFacts): boolean => facts.files.has('Cargo.toml');

export const AUDIT_RUNNERS: readonly Runner[] = [
  runner('npm', by('npm'), [], () => ['npm', 'audit', '--json']),
  runner('pnpm', by('pnpm'), [], () => ['pnpm', 'audit', '--json']),
  runner('yarn', classic, [], () => ['yarn', 'audit', '--json']),
  runner('yarn-berry', berry, [], () => ['yarn', 'npm', 'audit', '--json']),
  runner('bun', by('bun'), [], () => ['bun', 'audit', '--json']),
  runner('cargo', usesCargo, [], () => ['cargo', 'audit', '--json']),
  runner('pip', usesPip, [], () => ['pip-audit', '--format=json']),
];

const GO_UPDATES = '{{if .Update}}{{.Path}} {{.Version}} {{.Update.Version}}{{end}}';

export const OUTDATED_RUNNERS: readonly Runner[] = [
  runner('npm', by('npm'), [], () => ['npm', 'outdated', '--json']),
  runner('pnpm', by('pnpm'), [], () => ['pnpm', 'outdated', '--format', 'json']),
  runner('yarn', classic, [], () => ['yarn', 'outdated', '--json']),
  runner('bun', by('bun'), [], () => ['bun', 'outdated']),
  runner('go', usesGo, [], () => ['go', 'list', '-m', '-u', '-f', GO_UPDATES, 'all']),
  runner('cargo', usesCargo, [], () => ['cargo', 'update', '--dry-run']),
  runner('pip', usesPip, [], () => [
    'pip',
    '--disable-pip-version-check',
    'list',
    '--outdated',
    '--format=json',
  ]),
];

/**
 * Install scripts are code of whoever published a package, so they stay off unless they were asked for, wherever a
 * package manager can do without them.
 */
export const INSTALL_RUNNERS: readonly Runner[] = [
  ...(['npm', 'pnpm', 'bun'] as const).map((manager) =>
    runner(manager, by(manager), ['packages'], ({ packages, dev, allowScripts }) => [
      manager,
      packages.length === 0 || manager === 'npm' ? 'install' : 'add',
      ...(allowScripts ? [] : ['--ignore-scripts']),
      ...(packages.length === 0
        ? []
        : [...(dev ? [manager === 'npm' ? '--save-dev' : '-D'] : []), '--', ...packages]),
    ]),
  ),
  runner('yarn', classic, ['packages'], ({ packages, dev, allowScripts }) => [
    ...['yarn', packages.length === 0 ? 'install' : 'add', ...(allowScripts ? [] : ['--ignore-scripts'])],
    ...(packages.length === 0 ? [] : [...(dev ? ['--dev'] : []), '--', ...packages]),
  ]),
  runner('yarn-berry', berry, ['packages'], ({ packages, dev, allowScripts }) => [
    ...['yarn', packages.length === 0 ? 'install' : 'add', ...(allowScripts ? [] : ['--mode=skip-build'])],
    ...(packages.length === 0 ? [] : [...(dev ? ['--dev'] : []), '--', ...packages]),
  ]),
  runner('pip', usesPip, ['packages'], ({ packages, allowScripts }) => [
    // A source package runs its author's setup code; a wheel does not.
    ...['pip', '--disable-pip-version-check', 'install', ...(allowScripts ? [] : ['--only-binary=:all:'])],
    ...(packages.length === 0 ? ['--requirement', 'requirements.txt'] : ['--', ...packages]),
  ]),
  runner('go', usesGo, ['packages'], ({ packages }) => [
    ...(packages.length === 0 ? ['go', 'mod', 'download'] : ['go', 'get', '--', ...packages]),
  ]),
  runner('cargo', usesCargo, ['packages'], ({ packages, dev }) => [
    ...(packages.length === 0
      ? ['cargo', 'fetch']
      : ['cargo', 'add', ...(dev ? ['--dev'] : []), '--', ...packages]),
  ]),
];

/** Where each of them asks unless a project's own configuration says otherwise. */
export const REGISTRIES: Readonly<Record<string, string>> = {
  npm: 'https://registry.npmjs.org/',
  pnpm: 'https://registry.npmjs.org/',
  yarn: 'https://registry.yarnpkg.com/',
  'yarn-berry': 'https://registry.yarnpkg.com/',
  bun: 'https://registry.npmjs.org/',
  pip: 'https://pypi.org/',
  go: 'https://proxy.golang.org/',
  cargo: 'https://index.crates.io/',
};
