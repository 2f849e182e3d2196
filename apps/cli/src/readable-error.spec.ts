import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WrongStackError } from '@wrongstack/contracts';
import { readableError } from './readable-error.js';

const refused = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: no`), { code, ...(path !== undefined && { path }) });
const home = (): string => '/home/ada/.wrongstack';

describe('an error as it is shown', () => {
  it.each([
    [refused('ENOSPC'), 'cannot write under /home/ada/.wrongstack: the disk is full (ENOSPC)'],
    [refused('EROFS', '/ro/x'), 'cannot write /ro/x: the file system is read-only (EROFS)'],
    [refused('EACCES', '/ro/x'), 'cannot use /ro/x: permission denied (EACCES)'],
    [refused('ENOTDIR', '/a/b'), 'cannot use /a/b: something that is no folder is in the way (ENOTDIR)'],
  ])('names the place where the disk refused: %s', (error, message) => {
    expect(readableError(error, home)).toMatchObject({
      message,
      hint: expect.stringContaining('WRONGSTACK_HOME'),
    });
  });

  it('says that a link leads nowhere where the system says that there is no such file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'readable-'));
    symlinkSync('nowhere', path.join(folder, 'vault'));
    const below = path.join(folder, 'vault', 'key');
    expect(readableError(refused('ENOENT', below), home)).toMatchObject({
      code: 'storage.refused',
      message: `cannot use ${below}: a link that leads nowhere is in the way (ENOENT)`,
      hint: expect.stringContaining('move it away'),
    });
    const absent = refused('ENOENT', path.join(folder, 'absent'));
    expect(readableError(absent, home)).toBe(absent);
    rmSync(folder, { recursive: true });
  });

  it('leaves everything else as it is', () => {
    const ours = new WrongStackError('policy.x', 'ours', { cause: refused('ENOSPC') });
    for (const error of [ours, refused('ECONNREFUSED'), new Error('x'), 'text']) {
      expect(readableError(error, home)).toBe(error);
    }
  });
});
