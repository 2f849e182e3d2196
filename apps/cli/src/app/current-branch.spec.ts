import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { currentBranch } from './current-branch.js';

describe('currentBranch', () => {
  let folder: string;
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-branch-')));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is what git says, also before the first commit and with slashes', async () => {
    git('init', '-q', '-b', 'feature/one');
    await expect(currentBranch(folder)).resolves.toBe('feature/one');
  });

  it('is found in a work tree', async () => {
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '-q', '-b', 'side', 'tree');
    await expect(currentBranch(path.join(folder, 'tree'))).resolves.toBe('side');
  });

  it('is missing without a repository, on a detached head, and where .git is something else', async () => {
    await expect(currentBranch(folder)).resolves.toBeUndefined();
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('checkout', '-q', '--detach');
    await expect(currentBranch(folder)).resolves.toBeUndefined();
    rmSync(path.join(folder, '.git'), { recursive: true });
    writeFileSync(path.join(folder, '.git'), 'not a link\n');
    await expect(currentBranch(folder)).resolves.toBeUndefined();
  });
});
