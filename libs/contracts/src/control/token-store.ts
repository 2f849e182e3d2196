import type { TokenRecord } from './identity-records.js';
import type { Page, PageRequest } from './paging.js';

export interface TokenFilter {
  readonly kind?: TokenRecord['kind'];
  readonly principal?: string;
}

/** Tokens by id. Comparing secrets is the caller's, in constant time. */
export abstract class TokenStore {
  /** False where the id is taken. */
  abstract add(token: TokenRecord): Promise<boolean>;
  abstract get(id: string): Promise<TokenRecord | null>;
  /** By id. */
  abstract list(filter: TokenFilter, page: PageRequest): Promise<Page<TokenRecord>>;
  /** False where there is none, or it is revoked already. */
  abstract revoke(id: string, at: string): Promise<boolean>;
  /** Revokes all of a principal; how many there were. */
  abstract revokeAllOf(principal: string, at: string): Promise<number>;
  /** An older time than the one that is kept changes nothing. */
  abstract touch(id: string, at: string): Promise<void>;
  /** Forgets `access` tokens that expired before; how many. */
  abstract prune(expiredBefore: string): Promise<number>;
}
