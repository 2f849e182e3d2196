import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PatternSecretScrubber } from '../secrets/pattern-secret-scrubber.js';
import { FileSecretVault } from '../vault/file-secret-vault.js';
import { StoredCredentials } from './stored-credentials.js';

describe('stored credentials', () => {
  let folder: string;
  let scrubber: PatternSecretScrubber;
  let credentials: StoredCredentials;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credentials-'));
    const vault = new FileSecretVault({
      file: join(folder, 'vault.json'),
      keyFile: join(folder, 'vault.key'),
    });
    await vault.set('TRACKER', 'tracker in vault');
    await vault.set('BOTH', 'both in vault');
    scrubber = new PatternSecretScrubber();
    credentials = new StoredCredentials({
      vault,
      scrubber,
      environment: {
        BOTH: 'both in environment\n',
        SHELL_ONLY: 'shell only',
        BLANK: ' ',
        MODEL_KEY: 'model key',
      },
      reserved: ['MODEL_KEY'],
    });
  });
  afterEach(() => rm(folder, { recursive: true }));
  const forTool = (name: string, owner: string) => credentials.resolve({ name, tool: 't', owner });

  it('come from the environment, else from the vault', async () => {
    expect(await credentials.find('BOTH')).toBe('both in environment');
    expect(await credentials.find('TRACKER')).toBe('tracker in vault');
    expect(await credentials.find('BLANK')).toBeUndefined();
    expect(await credentials.find('toString')).toBeUndefined();
  });

  it('are given to plugins from the vault alone, and keys of providers to no tool', async () => {
    expect(await forTool('SHELL_ONLY', 'core')).toBe('shell only');
    expect(await forTool('SHELL_ONLY', 'some-plugin')).toBeUndefined();
    expect(await forTool('BOTH', 'some-plugin')).toBe('both in vault');
    expect(await forTool('MODEL_KEY', 'core')).toBeUndefined();
    expect(await credentials.find('MODEL_KEY')).toBe('model key');
  });

  it('are masked from the moment they are handed out', async () => {
    expect(scrubber.scrub('got tracker in vault')).toBe('got tracker in vault');
    await forTool('TRACKER', 'some-plugin');
    expect(scrubber.scrub('got tracker in vault')).toBe('got ***');
  });
});
