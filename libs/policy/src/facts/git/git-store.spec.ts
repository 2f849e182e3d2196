import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policyContext } from '../../../spec/support/synthetic-policies.js';
import { decide } from '../../decide/decide.js';
import { computeFacts } from '../compute-facts.js';
import { AT_THE_KEYBOARD, sampleCall } from '../sample-call.spec-support.js';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@x',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@x',
};

/** Under YOLO: is a call asked about because git may show a credential that was committed? */
describe.each(['loose', 'packed'])('what git keeps, in %s objects', (kept) => {
  let root: string;
  let shop: string;
  let clean: string;
  const git = (folder: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...IDENTITY, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
    }).trim();
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'git-store-')));
    shop = join(root, 'shop');
    clean = join(root, 'clean');
    for (const [folder, secret] of [
      [shop, '.env'],
      [clean, 'notes.txt'],
    ] as const) {
      await mkdir(join(folder, 'src'), { recursive: true });
      git(folder, 'init', '-q');
      for (let version = 0; version < 3; version += 1) {
        await writeFile(join(folder, secret), `A=${version}\n`);
        await writeFile(join(folder, 'src/a.ts'), `${'const x = 1;\n'.repeat(40)}${version}\n`);
        git(folder, 'add', '-A');
        git(folder, 'commit', '-qm', `version ${version}`);
      }
    }
    git(shop, 'tag', '-a', 'v1', '-m', 'v1');
    git(shop, 'tag', 'hidden', git(shop, 'rev-parse', 'HEAD:.env'));
    git(shop, 'tag', '-a', 'wrapped', '-m', 'x', git(shop, 'rev-parse', 'HEAD:.env'));
    for (const [name, revision] of [
      ['COMMIT', 'HEAD~1'],
      ['BLOB', 'HEAD:.env'],
      ['OLD', 'HEAD~2:.env'],
      ['TREE', 'HEAD:src'],
    ] as const)
      ids[name] = git(shop, 'rev-parse', revision);
    if (kept === 'packed') git(shop, 'gc', '-q');
    git(shop, 'worktree', 'add', '-q', join(shop, 'linked'), 'v1');
  });
  afterAll(() => rm(root, { recursive: true }));

  const asks = async (command: string, cwd = shop): Promise<boolean> => {
    const known = command.replace(/\b[A-Z]{3,6}\b/g, (name) => ids[name]?.slice(0, 9) ?? name);
    const facts = await computeFacts(
      sampleCall(
        cwd,
        { command: known, cwd },
        { tool: { name: 'bash', riskPerCall: true }, session: { ...AT_THE_KEYBOARD, yolo: true } },
      ),
      {
        home: join(root, 'home'),
        agentHome: join(root, 'home/.wrongstack'),
        clock: { now: () => Date.parse('2026-03-04T12:00:00Z') },
        toolchainScratch: [],
      },
    );
    return decide(facts, policyContext(), []).verdict !== 'allow';
  };

  it.each([
    // By its hash, or by a name that hides one.
    'git show BLOB',
    'git show --stat BLOB',
    'git show OLD',
    'git show COMMIT BLOB',
    'git show hidden',
    'git show tags/hidden',
    'git show wrapped',
    'git show wrapped^{}',
    'git show $(git rev-parse x)',
    'git show "HEAD:$F"',
    'git diff BLOB OLD',
    'git cat-file -p BLOB',
    'git cat-file blob BLOB',
    'git cat-file --filters --path=a BLOB',
    'git cat-file -p hidden',
    'git --no-pager cat-file -p OLD',
    'git grep A BLOB',
    'cd linked && git show BLOB',
    'git -C src show BLOB',
    'git unpack-file BLOB',
    'git checkout-index --temp -a',
    'git checkout-index --prefix=out/a_ -a',
    // All of it.
    'git cat-file --batch-all-objects --batch',
    'git cat-file --batch < ids',
    'git rev-list --all --objects | git cat-file --batch-command',
    'git fast-export --all',
    'git archive HEAD | tar xO',
    'git archive --format=zip HEAD',
    'git archive HEAD src',
    'git bundle create all.bundle --all',
    'git pack-objects --stdout --all',
    'git upload-pack .',
    'git range-diff main~2 main~1 main',
    'git merge-tree main~2 main~1 main',
    "git for-each-ref --format='%(raw)'",
    "git tag -l --format='%(raw)'",
    'cat .git/objects/ab/cdef | pigz -dc',
    // Lines of it.
    'git grep A',
    'git grep A HEAD~1',
    'git grep -e A $(git rev-list --all)',
    'git grep --recurse-submodules A',
    // A diff that the next program takes apart.
    'git show | cut -c2-',
    'git show | base64',
    'git show HEAD~1 | sed s/^.//',
    'git --no-pager show | tail -3',
    'git log -p | sed 1d',
    'git log -up | grep A',
    'git log -U0 | tail -2',
    'git log --pat | tail -2',
    'git log --cc | tail -2',
    'git log -p --stat | rev',
    'git diff HEAD~1 | tr A B',
    'git diff | rev',
    'git diff -- . | rev',
    'git diff HEAD~1 -- src | rev',
    'git diff HEAD~1 -- "*.ts" | rev',
    'git diff HEAD~1 :/ | rev',
    'git diff --cached | grep A',
    'git status -vv | rev',
    'git commit -v --dry-run | rev',
    'git stash show -p | awk 1',
    'git diff-tree -p HEAD | rev',
    'git whatchanged -p | rev',
    'git show | head | tail -1',
    'git show | cat -n',
    'git show | tee copy | wc -l',
    'git show | while read -r l; do echo "x$l"; done',
    '(git status; git show) | rev',
    '{ git show; } | rev',
    'f() { git show; }; f | rev',
    'if true; then git show; fi | rev',
    'bash -c "git show" | rev',
    'eval "git show" | rev',
    'nice git show | rev',
    'env git show | rev',
    'git show > copy',
    'git show >> copy',
    'git show &> copy',
    'git show 3> copy >&3',
    'exec > copy; git show',
    'git show > >(rev)',
    '{ git show >&2; } 2> copy',
    'git show 1<> copy',
    'script -qc "git show" copy',
    'git update-index --add --cacheinfo 100644,BLOB,notes.txt',
    'echo x | git mktree',
    'git notes add -C BLOB',
    'git submodule foreach "git show | rev"',
    'git -P log -p | tee /dev/stderr',
    'tar c .git | base64',
    'strings .git/objects/pack/x.pack',
    'git show @{1}:./src/../.env',
    'rev < <(git show)',
    'rev <<< "$(git show)"',
    'x=$(git show); echo "${x//A/B}"',
    'paste <(git show) x',
    'coproc git show',
    'git show --output=copy',
    'git format-patch -1',
    'git show --line-prefix=q',
    'git diff --relative=.aws HEAD~1',
    'git log -p --src-prefix=x',
    'GIT_EXTERNAL_DIFF="cut -c2-" git diff HEAD~1',
  ])('asks: %s', async (command) => {
    expect(await asks(command)).toBe(true);
  });

  it.each([
    'git status',
    'git diff',
    'git diff --stat | tail -1',
    'git diff --cached',
    'git diff HEAD~1',
    'git diff COMMIT HEAD',
    'git diff main~1..main',
    'git diff src/a.ts | grep x',
    'git diff HEAD~1 -- src/a.ts | grep x',
    'git log',
    'git log --oneline | grep fix',
    'git log -p',
    'git log -p | head -50',
    'git log -p | cat',
    'git log -5 --format=%H | tail -1',
    "git log --grep=x --author='Up' | tail -1",
    'git log -p -- src/a.ts | grep x',
    'git show',
    'git show | wc -l',
    'git show > /dev/null',
    'git show 2>&1',
    'git show HEAD --stat',
    'git show HEAD --stat | tail -1',
    'git show --name-only HEAD | sort',
    'git show COMMIT',
    'git show v1',
    'git show main',
    'git show TREE',
    'git show HEAD:src/a.ts | sed 1d',
    'git cat-file -p COMMIT',
    'git cat-file -t BLOB',
    'git cat-file -p TREE',
    'git cat-file --batch-check < ids',
    'git grep -l A',
    'git grep x -- src/a.ts',
    'git rev-list --all | head',
    'git for-each-ref',
    'cd linked && git show COMMIT',
    'git blame src/a.ts | tail -3',
    'git stash list',
    'git archive HEAD src/a.ts | tar xO',
  ])('does not ask: %s', async (command) => {
    expect(await asks(command)).toBe(false);
  });

  it('looks into the index before it asks about what is tracked', async () => {
    for (const command of ['git diff | grep x', 'git grep x', 'git grep x src', 'git diff -- src | rev'])
      expect([command, await asks(command, clean)]).toEqual([command, false]);
    git(clean, 'update-index', '--index-version', '4');
    expect(await asks('git grep x', clean)).toBe(false);
    await writeFile(join(clean, 'src/key.pem'), 'x');
    git(clean, 'add', '-A');
    expect(await asks('git grep x', clean)).toBe(true);
    git(clean, 'rm', '-q', '-f', '--cached', 'src/key.pem');
    git(clean, 'update-index', '--split-index');
    expect(await asks('git grep x', clean)).toBe(true);
  });
});
