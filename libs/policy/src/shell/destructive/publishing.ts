import { names } from '../names.js';
import { hasOption, scanOptions } from '../option-scan.js';
import { always, byVerb, type DestructiveRule } from './rule.js';

const WITH_FOLDER = {
  short: 'CFw',
  long: ['prefix', 'workspace', 'filter', 'dir', 'cwd', 'registry', 'manifest-path', 'config', 'project'],
};
const DRY = { harmless: ['--dry-run', '-n', '--help', '-h', '--snapshot'] };
const PACKAGE_VERBS = [
  ['publish'],
  ['pub'],
  ['unpublish'],
  ['deprecate'],
  ['dist-tag', 'add'],
  ['dist-tag', 'rm'],
  ['owner', 'add'],
  ['owner', 'rm'],
  ['access', 'set'],
  ['npm', 'publish'],
  ['token', 'revoke'],
  ['stage', 'publish'],
];

/** What others receive cannot be taken back. */
export const PUBLISHING_RULES: readonly DestructiveRule[] = [
  {
    programs: ['npm', 'pnpm', 'yarn', 'bun', 'lerna', 'changeset', 'nx', 'jsr', 'vsce', 'ovsx'],
    when: 'publish, unpublish, deprecate, dist-tag, owner, access, release; not with --dry-run',
    why: 'changes what every user of a package installs',
    check: byVerb([...PACKAGE_VERBS, ['release']], { shape: WITH_FOLDER, ...DRY }),
  },
  {
    programs: ['cargo'],
    when: 'publish, yank, owner; not with --dry-run',
    why: 'a version on the registry is final',
    check: byVerb([['publish'], ['yank'], ['owner']], { shape: WITH_FOLDER, ...DRY }),
  },
  {
    programs: ['gem'],
    when: 'push, yank, owner',
    why: 'a version on the registry is final',
    check: byVerb([['push'], ['yank'], ['owner']], { shape: WITH_FOLDER }),
  },
  {
    programs: ['twine'],
    when: 'upload',
    why: 'a version on the index is final',
    check: byVerb([['upload']]),
  },
  {
    programs: ['python', 'python3'],
    when: '-m twine upload',
    why: 'a version on the index is final',
    check: (args, name) => {
      const at = args.findIndex((word) => word.value === 'twine');
      return at > 0 && args[at - 1]?.value === '-m' && args[at + 1]?.value !== 'check'
        ? `${name} -m twine`
        : null;
    },
  },
  {
    programs: ['poetry', 'uv', 'hatch', 'flit', 'pdm', 'rye', 'maturin'],
    when: 'publish, upload; not with --dry-run',
    why: 'a version on the index is final',
    check: byVerb([['publish'], ['upload']], { shape: WITH_FOLDER, ...DRY }),
  },
  {
    programs: ['docker', 'podman', 'nerdctl', 'buildah'],
    when: 'push, image push, manifest push, compose push',
    why: 'replaces an image that others run',
    check: byVerb([['push'], ['image', 'push'], ['manifest', 'push'], ['compose', 'push']], {
      shape: { short: 'Hlc', long: ['host', 'context', 'config'] },
    }),
  },
  {
    programs: ['docker', 'podman'],
    when: 'build with --push',
    why: 'replaces an image that others run',
    check: (args, name) =>
      args.some((word) => /^--push(?:=true)?$/.test(word.value ?? '')) ? `${name} build --push` : null,
  },
  {
    programs: ['crane', 'skopeo', 'oras', 'ko', 'helm', 'conan', 'pod', 'anaconda', 'nuget', 'choco'],
    when: 'push, publish, copy, delete, upload',
    why: 'replaces an artefact that others use',
    check: byVerb(
      [['push'], ['publish'], ['copy'], ['delete'], ['upload'], ['trunk', 'push'], ['trunk', 'delete']],
      { shape: { short: 'n', long: ['namespace', 'kube-context'] } },
    ),
  },
  {
    programs: ['dotnet'],
    when: 'nuget push, nuget delete',
    why: 'a version on the feed is final',
    check: byVerb([
      ['nuget', 'push'],
      ['nuget', 'delete'],
    ]),
  },
  {
    programs: ['gh', 'glab'],
    when: 'release create, upload, edit, delete; repo delete, archive, rename, edit; secret and variable changes; api with a writing method',
    why: 'changes what others see or use on the forge',
    check: byVerb(
      [
        ...['create', 'upload', 'edit', 'delete', 'delete-asset'].map((verb) => ['release', verb]),
        ...['delete', 'archive', 'rename', 'edit'].map((verb) => ['repo', verb]),
        ['secret', 'set'],
        ['secret', 'delete'],
        ['secret', 'remove'],
        ['variable', 'delete'],
        ['workflow', 'disable'],
        ['run', 'delete'],
        ['cache', 'delete'],
        ['issue', 'delete'],
        ['pr', 'merge'],
      ],
      { shape: { short: 'R', long: ['repo'] } },
    ),
  },
  {
    programs: ['gh', 'glab'],
    when: 'api with -X or --method other than GET',
    why: 'any change of the forge',
    check: (args, name) => {
      const scanned = scanOptions(args, {
        short: 'XfFHqtp',
        long: ['method', 'field', 'raw-field', 'header', 'input', 'jq', 'template', 'hostname'],
      });
      if (scanned.operands[0]?.value !== 'api') return null;
      return scanned.options.some(
        (option) =>
          (option.name === '-X' || option.name === '--method') &&
          option.value?.value?.toUpperCase() !== 'GET',
      )
        ? `${name} api with a writing method`
        : null;
    },
  },
  {
    programs: ['mvn', 'mvnw', 'gradle', 'gradlew', 'sbt'],
    when: 'deploy, release and publish goals; publishToMavenLocal stays here',
    why: 'a version in the repository is final',
    check: (args, name) => {
      const goal = args.find(
        (word) =>
          /^(?:deploy|release:\w+|[\w:-]*:?publish\w*)$/i.test(word.value ?? '') &&
          !/MavenLocal|publishLocal/i.test(word.value ?? ''),
      );
      return goal === undefined ? null : `${name} ${goal.value ?? ''}`;
    },
  },
  {
    programs: ['semantic-release', 'release-it', 'np', 'standard-version', 'goreleaser', 'auto', 'bumpp'],
    when: 'every call but --dry-run, --snapshot, -d',
    why: 'cuts a release',
    check: always('--dry-run', '-d', '--snapshot', '--version', '-v'),
  },
  {
    programs: names(`
      fastlane eas vercel netlify wrangler firebase fly flyctl serverless sls railway render cdk sam
      amplify eb copilot supabase
    `),
    when: 'deploy, publish, release, submit, deliver, remove, destroy, delete',
    why: 'changes what runs in public',
    check: byVerb([
      ['deploy'],
      ['publish'],
      ['release'],
      ['submit'],
      ['deliver'],
      ['remove'],
      ['destroy'],
      ['delete'],
      ['rollback'],
      ['promote'],
      ['pages', 'deploy'],
      ['apps', 'destroy'],
      ['db', 'reset'],
    ]),
  },
  {
    programs: ['mix', 'stack', 'cabal'],
    when: 'hex.publish, hex.retire, upload',
    why: 'a version on the registry is final',
    check: byVerb([['hex.publish'], ['hex.retire'], ['upload']]),
  },
  {
    programs: ['ng', 'gulp-release'],
    when: 'deploy',
    why: 'changes what runs in public',
    check: byVerb([['deploy']]),
  },
  {
    programs: ['svn'],
    when: 'delete of an address, revert with -R',
    why: 'changes the shared repository, or loses local work',
    check: (args) => {
      const scanned = scanOptions(args);
      const verb = scanned.operands[0]?.value;
      if (verb === 'revert') return hasOption(scanned, '-R', '--recursive') ? 'svn revert -R' : null;
      return (verb === 'delete' || verb === 'rm') &&
        scanned.operands.some((word) => /:\/\//.test(word.value ?? ''))
        ? 'svn delete'
        : null;
    },
  },
  {
    programs: ['hg'],
    when: 'strip, push -f, update -C, purge, rollback',
    why: 'loses history or uncommitted work',
    check: (args) => {
      const scanned = scanOptions(args);
      const verb = scanned.operands[0]?.value ?? '';
      if (/^(?:strip|purge|rollback)$/.test(verb)) return `hg ${verb}`;
      return (verb === 'push' && hasOption(scanned, '-f', '--force')) ||
        (/^(?:update|up|checkout)$/.test(verb) && hasOption(scanned, '-C', '--clean'))
        ? `hg ${verb}`
        : null;
    },
  },
];
