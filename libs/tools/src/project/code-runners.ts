import type { ProjectFacts } from './project-facts.js';
import { hasAny, orHere, runner, scriptRunners, type Runner } from './runner.js';

const isGo = (facts: ProjectFacts): boolean => facts.files.has('go.mod');
const isRust = (facts: ProjectFacts): boolean => facts.files.has('Cargo.toml');
const usesRuff = (facts: ProjectFacts): boolean =>
  hasAny(facts, 'ruff.toml', '.ruff.toml') ||
  [...facts.sections].some((name) => name.startsWith('tool.ruff'));
const usesBiome = (facts: ProjectFacts): boolean =>
  hasAny(facts, 'biome.json', 'biome.jsonc', '@biomejs/biome');
const usesPython = (facts: ProjectFacts): boolean =>
  hasAny(facts, 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'pytest.ini', 'tox.ini');
const when = (condition: boolean, ...words: readonly string[]): readonly string[] => (condition ? words : []);

export const LINT_RUNNERS: readonly Runner[] = [
  ...scriptRunners('lint'),
  runner(
    'eslint',
    (facts) => hasAny(facts, 'eslint', /^eslint\.config\.\w+$|^\.eslintrc(?:\..*)?$/),
    ['paths', 'fix'],
    ({ paths, fix }) => ['eslint', ...when(fix, '--fix'), '--', ...orHere(paths)],
  ),
  runner('biome', usesBiome, ['paths', 'fix'], ({ paths, fix }) => [
    ...['biome', 'lint', ...when(fix, '--write'), '--', ...orHere(paths)],
  ]),
  runner('ruff', usesRuff, ['paths', 'fix'], ({ paths, fix }) => [
    ...['ruff', 'check', '--output-format=concise', ...when(fix, '--fix'), '--', ...orHere(paths)],
  ]),
  // go has no `--`; a path that starts with `./` or `/` is never an option.
  runner('go', isGo, ['paths'], ({ paths }) => ['go', 'vet', ...orHere(paths, './...')]),
  runner('cargo', isRust, ['fix'], ({ fix }) => [
    ...[
      'cargo',
      'clippy',
      '--message-format=short',
      ...when(fix, '--fix', '--allow-dirty', '--allow-staged'),
    ],
  ]),
];

export const FORMAT_RUNNERS: readonly Runner[] = [
  ...scriptRunners('format'),
  runner(
    'prettier',
    (facts) => hasAny(facts, 'prettier', /^\.prettierrc(?:\..*)?$|^prettier\.config\.\w+$/),
    ['paths', 'check'],
    ({ paths, check }) => ['prettier', check ? '--check' : '--write', '--', ...orHere(paths)],
  ),
  runner('biome', usesBiome, ['paths', 'check'], ({ paths, check }) => [
    ...['biome', 'format', ...when(!check, '--write'), '--', ...orHere(paths)],
  ]),
  runner('ruff', usesRuff, ['paths', 'check'], ({ paths, check }) => [
    ...['ruff', 'format', ...when(check, '--check'), '--', ...orHere(paths)],
  ]),
  runner(
    'black',
    (facts) => facts.sections.has('tool.black'),
    ['paths', 'check'],
    ({ paths, check }) => [...['black', ...when(check, '--check'), '--', ...orHere(paths)]],
  ),
  runner('gofmt', isGo, ['paths', 'check'], ({ paths, check }) => [
    'gofmt',
    check ? '-l' : '-w',
    ...orHere(paths),
  ]),
  runner('cargo', isRust, ['check'], ({ check }) => ['cargo', 'fmt', ...when(check, '--check')]),
];

export const TYPECHECK_RUNNERS: readonly Runner[] = [
  ...scriptRunners('typecheck'),
  runner(
    'tsc',
    (facts) => facts.files.has('tsconfig.json'),
    [],
    () => ['tsc', '--noEmit', '--pretty', 'false'],
  ),
  runner(
    'mypy',
    (facts) =>
      hasAny(facts, 'mypy.ini', '.mypy.ini') || facts.sections.has('tool.mypy') || facts.sections.has('mypy'),
    ['paths'],
    ({ paths }) => ['mypy', '--no-color-output', '--', ...orHere(paths)],
  ),
  runner(
    'pyright',
    (facts) => hasAny(facts, 'pyrightconfig.json', 'pyright') || facts.sections.has('tool.pyright'),
    ['paths'],
    ({ paths }) => ['pyright', ...orHere(paths)],
  ),
  runner('go', isGo, ['paths'], ({ paths }) => ['go', 'build', '-o', '/dev/null', ...orHere(paths, './...')]),
  runner('cargo', isRust, [], () => ['cargo', 'check', '--message-format=short']),
];

export const TEST_RUNNERS: readonly Runner[] = [
  ...scriptRunners('test'),
  runner(
    'vitest',
    (facts) => hasAny(facts, 'vitest', /^vitest\.config\.\w+$/),
    ['paths', 'filter'],
    (request) => [
      // Behind `--` vitest sees no files; these start with `./` or `/`.
      ...[
        'vitest',
        'run',
        ...when(request.filter !== undefined, `--testNamePattern=${request.filter ?? ''}`),
      ],
      ...request.paths,
    ],
  ),
  runner(
    'jest',
    (facts) => hasAny(facts, 'jest', /^jest\.config\.\w+$/),
    ['paths', 'filter'],
    (request) => [
      ...['jest', '--ci', ...when(request.filter !== undefined, `--testNamePattern=${request.filter ?? ''}`)],
      ...when(request.paths.length > 0, '--', ...request.paths),
    ],
  ),
  runner(
    'node',
    (facts) => facts.files.has('package.json'),
    ['paths', 'filter'],
    (request) => [
      ...[
        'node',
        '--test',
        ...when(request.filter !== undefined, `--test-name-pattern=${request.filter ?? ''}`),
      ],
      ...request.paths,
    ],
  ),
  runner('pytest', usesPython, ['paths', 'filter'], (request) => [
    ...[
      'pytest',
      '-q',
      '--no-header',
      '--color=no',
      ...when(request.filter !== undefined, `-k${request.filter ?? ''}`),
    ],
    ...when(request.paths.length > 0, '--', ...request.paths),
  ]),
  runner('go', isGo, ['paths', 'filter'], (request) => [
    ...['go', 'test', ...when(request.filter !== undefined, `-run=${request.filter ?? ''}`)],
    ...orHere(request.paths, './...'),
  ]),
  runner('cargo', isRust, ['filter'], ({ filter }) => [
    ...['cargo', 'test', ...when(filter !== undefined, '--', filter ?? '')],
  ]),
  runner(
    'maven',
    (facts) => facts.files.has('pom.xml'),
    ['filter'],
    ({ filter }) => [...['mvn', '-B', '-q', ...when(filter !== undefined, `-Dtest=${filter ?? ''}`), 'test']],
  ),
  runner(
    'gradlew',
    (facts) => facts.files.has('gradlew'),
    ['filter'],
    ({ filter }) => [...['./gradlew', 'test', ...when(filter !== undefined, `--tests=${filter ?? ''}`)]],
  ),
  runner(
    'gradle',
    (facts) => hasAny(facts, 'build.gradle', 'build.gradle.kts'),
    ['filter'],
    ({ filter }) => [...['gradle', 'test', ...when(filter !== undefined, `--tests=${filter ?? ''}`)]],
  ),
  runner(
    'make',
    (facts) => facts.targets.has('test'),
    [],
    () => ['make', 'test'],
  ),
];
