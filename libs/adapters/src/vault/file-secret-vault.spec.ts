import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretVaultCases } from '../testing/secret-vault.conformance.js';
import { FileSecretVault } from './file-secret-vault.js';

let folder: string;
let file: string;
let keyFile: string;
const vault = (key?: string | Uint8Array) => new FileSecretVault({ file, keyFile, key });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vault-'));
  file = join(folder, 'data', 'vault.json');
  keyFile = join(folder, 'key', 'vault.key');
});
afterEach(() => rm(folder, { recursive: true }));

describe('a vault in a file meets the port', () => {
  it.each(secretVaultCases)('$name', ({ run }) => run({ vault: vault(), again: () => vault() }));
});

describe('at rest', () => {
  it('shows neither names nor values, and is for its owner alone', async () => {
    await vault().set('ANTHROPIC_API_KEY', 'sk-value-0123');
    const stored = await readFile(file, 'utf8');
    expect(stored).not.toMatch(/ANTHROPIC|sk-value/);
    expect(stored).not.toContain(Buffer.from('sk-value-0123').toString('base64').slice(0, 12));
    for (const path of [file, keyFile]) expect((await stat(path)).mode & 0o777).toBe(0o600);
    for (const path of [join(folder, 'data'), join(folder, 'key')])
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, 'data'))).toEqual(['vault.json']);
  });

  it('is sealed anew each time', async () => {
    await vault().set('A', '1');
    const first = await readFile(file, 'utf8');
    await vault().set('A', '1');
    expect(await readFile(file, 'utf8')).not.toBe(first);
  });

  it('needs no key file where the key comes from outside', async () => {
    const key = 'ab'.repeat(32);
    await vault(key).set('A', '1');
    expect(await vault(Buffer.from(key, 'hex')).get('A')).toBe('1');
    expect(await vault(Buffer.from(key, 'hex').toString('base64')).get('A')).toBe('1');
    expect(await readdir(folder)).toEqual(['data']);
  });
});

describe('what is wrong is said, and nothing is overwritten', () => {
  const untouched = async (code: string, key?: string) => {
    const before = await readFile(file);
    for (const work of [
      () => vault(key).get('A'),
      () => vault(key).list(),
      () => vault(key).set('B', '2'),
      () => vault(key).remove('A'),
    ]) {
      await expect(work()).rejects.toMatchObject({ code });
    }
    expect(await readFile(file)).toEqual(before);
    expect(await readdir(join(folder, 'data'))).toEqual(['vault.json']);
  };
  beforeEach(() => vault().set('A', 'value-1'));

  it('another key', async () => {
    await untouched('vault.sealed', 'cd'.repeat(32));
    await writeFile(keyFile, Buffer.alloc(32, 1).toString('base64'));
    await untouched('vault.sealed');
  });

  it('no key', async () => {
    await rm(keyFile);
    await untouched('vault.key_missing');
    await expect(stat(keyFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(['', 'short', 'zz'.repeat(32), 'ab'.repeat(33)])('a key that is none: %j', async (key) => {
    await untouched('vault.bad_key', key);
    await expect(vault(key).get('A')).rejects.not.toThrow(key === '' ? 'value-1' : key);
    await writeFile(keyFile, key);
    await untouched('vault.bad_key');
  });

  it('any changed byte of the sealed content', async () => {
    const document = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    for (const field of ['nonce', 'tag', 'data']) {
      const bytes = Buffer.from(document[field]!, 'base64');
      bytes[bytes.length - 1]! ^= 1;
      await writeFile(file, JSON.stringify({ ...document, [field]: bytes.toString('base64') }));
      await untouched('vault.sealed');
    }
  });

  it.each([
    ['nothing', () => ''],
    ['no JSON', () => '{"version":1,'],
    ['another document', () => '[]'],
    ['another version', (text: string) => text.replace('"version":1', '"version":2')],
    ['a missing field', (text: string) => text.replace('"tag"', '"tug"')],
    ['a short tag', (text: string) => text.replace(/"tag":"[^"]{8}/, '"tag":"')],
  ])('a file that holds %s', async (_name, change) => {
    await writeFile(file, change(await readFile(file, 'utf8')));
    await untouched('vault.corrupt');
  });

  it('files that others can read', async () => {
    await chmod(file, 0o644);
    await untouched('vault.exposed');
    await chmod(file, 0o600);
    await chmod(keyFile, 0o640);
    await untouched('vault.exposed');
  });
});
