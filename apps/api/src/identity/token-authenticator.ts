import { hash } from 'node:crypto';
import { isoNow } from '@wrongstack/contracts';
import { type TokenRecord } from '@wrongstack/contracts/control';
import { Authenticator, bearerOf } from '../auth/authenticator.js';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { fitsHash, readCredential } from './credential.js';
import { principalBehind } from './principal-behind.js';
import { TokenTouches } from './token-touches.js';

interface Known {
  readonly principal: Principal;
  readonly tokenId: string;
  readonly until: number;
}

/** How long a replica may not have heard that a token was revoked on another one. */
const REMEMBERED_MS = 2_000;
const MOST_REMEMBERED = 20_000;
const TOUCH_EVERY_MS = 60_000;
/** What an unknown id is compared with, so that it takes as long as a known one. */
const NO_HASH = '0'.repeat(64);

/** Tokens that this control plane issued: of people, services and agents. */
export class TokenAuthenticator extends Authenticator {
  readonly #known = new Map<string, Known>();
  readonly #touched = new Map<string, number>();
  readonly #touches: TokenTouches;

  constructor(private readonly control: Pick<ControlPlane, 'store' | 'clock' | 'organisation'>) {
    super();
    this.#touches = new TokenTouches(control.store);
  }

  override async authenticate(authorization: string | undefined): Promise<Principal | null> {
    const token = bearerOf(authorization);
    const credential = token === null ? null : readCredential(token);
    if (token === null || credential === null) return null;
    // The whole token is the key, hashed: a remembered id alone proves nothing.
    const key = hash('sha256', token, 'base64');
    const now = this.control.clock.now();
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) return known.principal;
    const record = await this.control.store.tokens.get(credential.id);
    const fits = fitsHash(credential.secret, record?.secretHash ?? NO_HASH);
    if (record === null || !fits || !this.#stands(record, credential.kind, now)) return null;
    const principal = await principalBehind(this.control, record);
    if (principal === null) return null;
    this.#remember(key, { principal, tokenId: record.id, until: this.#until(record, now) });
    this.#touch(record.id, now);
    return principal;
  }

  /** Whom an API token stands for now, for somebody who has proven it before. Null = it stands no longer. Never from memory. */
  async standing(id: string): Promise<Principal | null> {
    const record = await this.control.store.tokens.get(id);
    if (record === null || !this.#stands(record, 'wst', this.control.clock.now())) return null;
    return principalBehind(this.control, record);
  }

  /** Something about tokens or principals was changed here: from now on it counts. */
  forget(): void {
    this.#known.clear();
  }

  #stands({ kind, revokedAt, expiresAt }: TokenRecord, prefix: 'wst' | 'wsa', now: number): boolean {
    if (revokedAt !== null || kind !== (prefix === 'wst' ? 'api' : 'access')) return false;
    return expiresAt === null || Date.parse(expiresAt) > now;
  }

  #until({ expiresAt }: TokenRecord, now: number): number {
    const soon = now + REMEMBERED_MS;
    return expiresAt === null ? soon : Math.min(soon, Date.parse(expiresAt));
  }

  #remember(key: string, known: Known): void {
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    this.#known.set(key, known);
  }

  #touch(id: string, now: number): void {
    if (now - (this.#touched.get(id) ?? 0) < TOUCH_EVERY_MS) return;
    if (this.#touched.size >= MOST_REMEMBERED) this.#touched.clear();
    this.#touched.set(id, now);
    this.#touches.add(id, isoNow(this.control.clock));
  }
}
