import { readWindowsPath, windowsKey } from './windows-path.js';

const read = (path: string, base = 'C:\\ws') => readWindowsPath(path, base);

describe('how Windows reads a path', () => {
  it.each([
    ['a.txt', 'C:\\ws\\a.txt'],
    ['c:/ws/a.txt', 'C:\\ws\\a.txt'],
    ['C:\\ws\\.\\b\\..\\a.txt', 'C:\\ws\\a.txt'],
    ['\\\\?\\C:\\ws\\a.txt', 'C:\\ws\\a.txt'],
    ['//?/c:/ws/a.txt', 'C:\\ws\\a.txt'],
    ['\\Windows\\win.ini', 'C:\\Windows\\win.ini'],
    ['..\\..\\..\\x', 'C:\\x'],
    ['.git. \\hooks', 'C:\\ws\\.git\\hooks'],
    ['con-fig.txt', 'C:\\ws\\con-fig.txt'],
    ['C:\\PROGRA~1\\x', 'C:\\PROGRA~1\\x'],
  ])('%s is %s', (spelling, path) => {
    expect(read(spelling)).toEqual({ kind: 'drive', path });
  });

  it.each([
    '\\\\localhost\\C$\\Windows\\win.ini',
    '//server/share/x',
    '\\\\127.0.0.1\\c$\\ws\\a.txt',
    '\\\\?\\UNC\\server\\share\\x',
    '//?/unc/server/share/x',
  ])('%s is on the network, whatever it aliases', (spelling) => {
    expect(read(spelling)).toEqual({ kind: 'unc' });
  });

  it.each([
    '\\\\.\\PhysicalDrive0',
    '\\\\?\\Volume{1-2}\\x',
    '\\\\?\\GLOBALROOT\\Device\\x',
    '\\??\\C:\\ws',
    'NUL',
    'sub\\con.txt',
    'COM1',
    'lpt\u00b9.log',
    'aux .txt',
    'CONIN$',
  ])('%s is a device', (spelling) => {
    expect(read(spelling).kind).toBe('device');
  });

  it.each(['a.txt:secret', '.git::$INDEX_ALLOCATION\\hooks', 'C:relative', 'D:', 'a\0b', 'what?.txt', '...'])(
    '%j is refused',
    (spelling) => {
      expect(read(spelling).kind).toBe('invalid');
    },
  );

  it('needs a working folder on a drive for relative paths', () => {
    expect(read('a', '\\\\server\\share').kind).toBe('invalid');
  });

  it('gives every spelling of a file one key', () => {
    const keys = ['c:/WS/a.txt', 'C:\\ws\\A.TXT', '\\\\?\\C:\\ws\\a.txt'].map((spelling) => {
      const found = read(spelling);
      return found.kind === 'drive' ? windowsKey(found.path) : found.kind;
    });
    expect(new Set(keys)).toEqual(new Set(['C:\\WS\\A.TXT']));
  });
});
