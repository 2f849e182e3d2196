import {
  AuditLog,
  RateLimiter,
  Sandbox,
  SecretScrubber,
  SecretVault,
  SessionStore,
} from '@wrongstack/contracts';
import { AdaptersModule } from './adapters.module.js';

interface Binding {
  readonly provide: unknown;
  readonly useFactory: () => object;
}
const isBinding = (provider: unknown): provider is Binding =>
  typeof provider === 'object' && provider !== null && 'useFactory' in provider;

it('binds every port that needs no server to an adapter of it, and makes nothing before it is asked to', () => {
  const module = AdaptersModule.register({ dataDir: '/nowhere' });
  const providers: readonly unknown[] = module.providers ?? [];
  const ports = [SessionStore, AuditLog, SecretVault, SecretScrubber, Sandbox, RateLimiter];
  expect(module.exports).toEqual(ports);
  for (const port of ports) {
    const binding = providers.filter(isBinding).find(({ provide }) => provide === port);
    expect(binding?.useFactory()).toBeInstanceOf(port);
  }
});
