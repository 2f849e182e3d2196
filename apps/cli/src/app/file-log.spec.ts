import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileLog } from './file-log.js';

describe('fileLog', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'wstack-log-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes a private file with the first line and appends', () => {
    const file = path.join(folder, 'logs', 'wstack.log');
    const write = fileLog(file);
    expect(() => statSync(file)).toThrow();
    write('one\n');
    write('two\n');
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('puts a full file aside once', () => {
    const file = path.join(folder, 'wstack.log');
    writeFileSync(file, 'x'.repeat(6 * 1024 * 1024));
    fileLog(file)('new\n');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(statSync(`${file}.1`).size).toBe(6 * 1024 * 1024);
  });

  it('fails nobody where it cannot write', () => {
    const file = path.join(folder, 'occupied');
    writeFileSync(file, '');
    expect(() => fileLog(path.join(file, 'wstack.log'))('line\n')).not.toThrow();
  });
});
