import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import {
  AuditLog,
  RateLimiter,
  Sandbox,
  SecretScrubber,
  SecretVault,
  SessionStore,
} from '@wrongstack/contracts';
import { AdaptersModule } from './adapters.module.js';

it('binds every port that needs no server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'adapters-'));
  const module = await Test.createTestingModule({
    imports: [AdaptersModule.register({ dataDir })],
  }).compile();
  const names = [SessionStore, AuditLog, SecretVault, SecretScrubber, Sandbox, RateLimiter].map(
    (port) => module.get<object>(port).constructor.name,
  );
  expect(names).toEqual([
    'JsonlSessionStore',
    'JsonlAuditLog',
    'FileSecretVault',
    'PatternSecretScrubber',
    'BubblewrapSandbox',
    'LocalRateLimiter',
  ]);
  const log = await module.get(SessionStore).create({ projectRoot: '/p', cwd: '/p', model: 'm' });
  expect(log.file).toContain(join(dataDir, 'sessions'));
  await log.close();
  await rm(dataDir, { recursive: true });
});
