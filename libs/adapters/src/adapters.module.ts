import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import {
  AuditLog,
  RateLimiter,
  Sandbox,
  SecretScrubber,
  SecretVault,
  SessionStore,
} from '@wrongstack/contracts';
import { JsonlAuditLog } from './audit/jsonl-audit-log.js';
import { JsonlSessionStore } from './jsonl/jsonl-session-store.js';
import { LocalRateLimiter } from './limits/local-rate-limiter.js';
import { BubblewrapSandbox } from './sandbox/bubblewrap-sandbox.js';
import { PatternSecretScrubber } from './secrets/pattern-secret-scrubber.js';
import { FileSecretVault } from './vault/file-secret-vault.js';

export interface AdaptersModuleOptions {
  /** The agent's data folder. */
  readonly dataDir: string;
  /** The vault's key, where it comes from outside. */
  readonly vaultKey?: string;
}

const PORTS = [SessionStore, AuditLog, SecretVault, SecretScrubber, Sandbox, RateLimiter];

/** Binds the ports to the adapters that need no server. Each is made when it is first asked for. */
@Module({})
export class AdaptersModule {
  static register({ dataDir, vaultKey }: AdaptersModuleOptions): DynamicModule {
    const at = (...path: string[]): string => join(dataDir, ...path);
    return {
      module: AdaptersModule,
      providers: [
        { provide: SessionStore, useFactory: () => new JsonlSessionStore(at('sessions')) },
        { provide: AuditLog, useFactory: () => new JsonlAuditLog(at('audit')) },
        {
          provide: SecretVault,
          useFactory: () =>
            new FileSecretVault({ file: at('vault.json'), keyFile: at('vault.key'), key: vaultKey }),
        },
        { provide: SecretScrubber, useFactory: () => new PatternSecretScrubber() },
        { provide: Sandbox, useFactory: () => new BubblewrapSandbox({ hidden: [dataDir] }) },
        { provide: RateLimiter, useFactory: () => new LocalRateLimiter() },
      ],
      exports: PORTS,
    };
  }
}
