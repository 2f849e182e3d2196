import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier/flat';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { containedPaths } from './tools/lint-rules/contained-paths.mjs';
import { environmentOwner } from './tools/lint-rules/environment-owner.mjs';
import { guardedNetwork } from './tools/lint-rules/guarded-network.mjs';
import { moduleOwners } from './tools/lint-rules/module-owners.mjs';
import { noShellStrings } from './tools/lint-rules/no-shell-strings.mjs';
import { reasonedDisable } from './tools/lint-rules/reasoned-disable.mjs';
import { toolDeclares } from './tools/lint-rules/tool-declares.mjs';

const SOURCES = ['libs/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'];
const SPECS = ['**/*.spec.ts', '**/*.spec-support.ts'];
const CONSOLE = ['apps/console/src/**/*.{ts,tsx}'];

// Who may import whom. Every line here has a file that must fail in tools/workspace-checks.
const only = (sourceTag, ...tags) => ({ sourceTag, onlyDependOnLibsWithTags: tags });
const ALL_LIBS = [
  'contracts',
  'kernel',
  'policy',
  'tools',
  'adapters',
  'providers',
  'plugins',
  'mcp',
  'core',
].map((name) => `scope:${name}`);
const LAYERS = [
  { sourceTag: 'scope:contracts', onlyDependOnLibsWithTags: [] },
  only('scope:kernel', 'scope:contracts'),
  only('scope:policy', 'scope:contracts'),
  only('scope:tools', 'scope:contracts'),
  only('scope:adapters', 'scope:contracts'),
  only('scope:providers', 'scope:contracts'),
  only('scope:plugins', 'scope:kernel', 'scope:contracts'),
  only('scope:mcp', 'scope:kernel', 'scope:contracts'),
  only('scope:core', 'scope:contracts', 'scope:kernel', 'scope:policy', 'scope:tools'),
  only('scope:cli', ...ALL_LIBS),
  only('scope:api', ...ALL_LIBS),
  // A browser knows the wire and what the API says of itself, and nothing of how either is made.
  only('scope:console', 'scope:contracts'),
  only('scope:authors', ...ALL_LIBS),
];

// Packages that belong to a few files. An owner's files are those that match one of its patterns.
const NEST = {
  module: '@nestjs/',
  reason:
    'Nest appears in *.module.ts, *.controller.ts, *.handler.ts, *.command.ts and the main files of apps.',
};
const CASL = {
  module: '@casl/ability',
  reason: 'one file of libs/policy and one of apps/api compile rules into abilities.',
};
// Tools speak of cards in our own words (contracts/presentation); one folder turns those into an editor's protocol.
const EDITOR = {
  module: '@agentclientprotocol/',
  reason: 'a tool says what its card is, and apps/cli/src/acp says it to an editor.',
};
const NEST_FILES = [
  '**/*.module.ts',
  '**/*.controller.ts',
  '**/*.handler.ts',
  '**/*.command.ts',
  'apps/*/src/main.ts',
  'apps/*/src/worker.main.ts',
  'apps/*/src/create-application.ts',
];
const CASL_FILES = ['libs/policy/src/rules/compile-ability.ts', 'apps/api/src/auth/compile-ability.ts'];
const owners = (...list) => ({ 'wrongstack/module-owners': ['error', list] });

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      '**/coverage',
      '**/.nx',
      'tools/bench/**/*.ts',
      'tools/lint-fixtures',
      // The guides' own code, as an outside author would type it.
      'tools/author-fixtures/{guide,cookbook,plugin,runners,docs}',
      'examples/plugins/{guide,tenant-header,notebook,careful-bash}',
      'tools/author-fixtures/.generated',
      'apps/console/src/client/schema.d.ts',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: {
      '@nx': nx,
      wrongstack: {
        rules: {
          'contained-paths': containedPaths,
          'environment-owner': environmentOwner,
          'guarded-network': guardedNetwork,
          'module-owners': moduleOwners,
          'no-shell-strings': noShellStrings,
          'reasoned-disable': reasonedDisable,
          'tool-declares': toolDeclares,
        },
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'wrongstack/reasoned-disable': 'error',
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: true,
          allow: [],
          depConstraints: LAYERS,
          // What a plugin may import is loaded when it does; here we import it as anybody does. It is one bundle.
          checkDynamicDependenciesExceptions: ['@wrongstack/**'],
        },
      ],
      // Without a default every case is named; a listener to a few of many events says `default` and means it.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Option bags that a library declares as classes are still written as literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // A hook or a listener may be asynchronous or not: `void | Promise<void>` says exactly that.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // A port promises asynchrony; an implementation that happens to be quick still keeps the promise.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: SOURCES,
    rules: {
      'no-console': 'error',
      'max-lines': ['error', 400],
      'wrongstack/environment-owner': 'error',
      'wrongstack/no-shell-strings': 'error',
      ...owners(NEST, CASL, EDITOR),
    },
  },
  { files: NEST_FILES, rules: owners(CASL, EDITOR) },
  { files: CASL_FILES, rules: owners(NEST, EDITOR) },
  { files: ['apps/cli/src/acp/**/*.ts'], rules: owners(NEST, CASL) },
  { files: ['apps/*/src/environment.ts'], rules: { 'wrongstack/environment-owner': 'off' } },
  {
    files: CONSOLE,
    ignores: SPECS,
    extends: [jsxA11y.flatConfigs.strict, reactHooks.configs.flat['recommended-latest']],
    rules: {
      // Nothing of Node is there, and text becomes markup nowhere.
      'no-restricted-globals': [
        'error',
        ...['process', 'Buffer', 'global', 'require', '__dirname', '__filename'],
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'JSXAttribute[name.name="dangerouslySetInnerHTML"], AssignmentExpression[left.property.name=/^(inner|outer)HTML$/], CallExpression[callee.property.name="insertAdjacentHTML"]',
          message: 'What others wrote is shown as text: use HostileText.',
        },
        {
          selector: 'ImportDeclaration[source.value=/^node:/][importKind!="type"]',
          message: 'A browser has no modules of Node.',
        },
      ],
      // For those who compile with the React compiler; we do not.
      'react-hooks/incompatible-library': 'off',
      // A handler may be asynchronous where a component says `void`.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  // What the author guide's security check-list asks and a linter can see.
  {
    files: ['libs/tools/src/**/*.ts'],
    ignores: SPECS,
    rules: {
      'wrongstack/tool-declares': 'error',
      'wrongstack/contained-paths': 'error',
      'wrongstack/guarded-network': 'error',
    },
  },
  // The owners of what those rules point to.
  { files: ['libs/tools/src/net/**/*.ts'], rules: { 'wrongstack/guarded-network': 'off' } },
  { files: ['libs/tools/src/paths/**/*.ts'], rules: { 'wrongstack/contained-paths': 'off' } },
  {
    files: ['libs/tools/src/**/*.tool.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['Literal[value=/```/]', 'TemplateElement[value.cooked=/```/]'].map((selector) => ({
          selector,
          message: 'A fence is display: whoever shows the card adds it.',
        })),
      ],
    },
  },
  {
    files: SPECS,
    rules: {
      'max-lines': 'off',
      // Specs start children with a copy of the environment, and take apart JSON that they have just asserted on.
      'wrongstack/environment-owner': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|todo)$/]',
          message: 'A focused or empty test hides the others.',
        },
      ],
    },
  },
  { files: ['apps/*/src/**/*.spec.ts', 'apps/*/src/**/*.spec-support.ts'], rules: owners(CASL) },
  prettier,
);
