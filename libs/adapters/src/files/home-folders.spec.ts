import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAgentHome, homeFolders, type HomeSource } from './home-folders.js';

const source = (env: Record<string, string>, over: Partial<HomeSource> = {}): HomeSource => ({
  env,
  homedir: () => env['HOME'] ?? '/home/ada',
  accountHome: () => '/home/ada',
  ...over,
});

describe('where a person keeps things', () => {
  it('is the home folder, or where WRONGSTACK_HOME says', () => {
    expect(homeFolders(source({ HOME: '/home/eve' }))).toEqual({
      home: '/home/eve',
      agentHome: '/home/eve/.wrongstack',
    });
    expect(homeFolders(source({ WRONGSTACK_HOME: '/data/../data/w' })).agentHome).toBe('/data/w');
    expect(homeFolders(source({ WRONGSTACK_HOME: '' })).agentHome).toBe('/home/ada/.wrongstack');
  });

  it.each(['', '.', 'home', '~'])('is never the working folder: HOME=%j', (HOME) => {
    expect(homeFolders(source({ HOME }))).toEqual({
      home: '/home/ada',
      agentHome: '/home/ada/.wrongstack',
    });
  });

  it.each([
    [{ WRONGSTACK_HOME: './w' }, 'environment.relative_home'],
    [{ WRONGSTACK_HOME: 'http://w' }, 'environment.relative_home'],
    [{ WRONGSTACK_HOME: '/w\0' }, 'environment.bad_home'],
  ])('refuses %j', (env, code) => {
    expect(() => homeFolders(source(env))).toThrow(expect.objectContaining({ code }));
  });

  it('says so when nobody knows a home', () => {
    const unknown = () => {
      throw new Error('no such account');
    };
    expect(() => homeFolders(source({ HOME: '' }, { accountHome: unknown }))).toThrow(
      expect.objectContaining({ code: 'environment.no_home', hint: 'set HOME to an absolute path' }),
    );
  });
});

describe('making that folder', () => {
  let folder: string;
  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'home-')))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const refusal = expect.objectContaining({ code: 'environment.bad_home', hint: expect.any(String) });

  it('makes what is missing on the way, for its owner alone', () => {
    const wanted = join(folder, 'a', 'new\nline', '.wrongstack');
    ensureAgentHome(wanted, 'write');
    ensureAgentHome(wanted, 'write');
    expect(statSync(wanted).mode & 0o777).toBe(0o700);
  });

  it('follows a link to a folder', () => {
    mkdirSync(join(folder, 'there'));
    symlinkSync(join(folder, 'there'), join(folder, 'link'));
    expect(() => ensureAgentHome(join(folder, 'link'), 'write')).not.toThrow();
  });

  it('refuses what can never be a folder, and names it', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    for (const name of ['file', 'file/.wrongstack', 'dangling', 'dangling/.wrongstack', 'loop']) {
      expect(() => ensureAgentHome(join(folder, name), 'read')).toThrow(refusal);
      expect(() => ensureAgentHome(join(folder, name), 'read')).toThrow(join(folder, name));
    }
  });

  // There a recursive mkdir tries for ever.
  (process.platform === 'linux' ? it : it.skip)('refuses a place where nothing can be made', () => {
    expect(() => ensureAgentHome('/proc/.wrongstack', 'read')).toThrow(refusal);
    // Who only reads does without.
    expect(() => ensureAgentHome('/sys/.wrongstack', 'read')).not.toThrow();
    expect(() => ensureAgentHome('/sys/.wrongstack', 'write')).toThrow(refusal);
    expect(() => ensureAgentHome('/dev/null/.wrongstack', 'read')).toThrow(refusal);
  });
});
