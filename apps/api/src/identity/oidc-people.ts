import { isoNow } from '@wrongstack/contracts';
import type { UserRecord } from '@wrongstack/contracts/control';
import { type Principal, ROLES } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { type OidcSettings, readSettings } from './settings.js';

const SETTINGS_MS = 5_000;
const MOST_GROUPS = 1_000;
const USER_ID = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/;

/** What an identity provider says about somebody, once that is verified. */
export type ProvenClaims = Readonly<Record<string, unknown>> & { readonly sub?: string };

/** People whom the organisation's identity provider vouches for. Groups become teams and roles by the table; nobody gets a role by asking. */
export class OidcPeople {
  #settings: { readonly value: OidcSettings | null; readonly until: number } | null = null;

  constructor(private readonly control: Pick<ControlPlane, 'store' | 'clock' | 'organisation'>) {}

  /** Null = the organisation has none. A change counts within seconds. */
  async settings(): Promise<OidcSettings | null> {
    const now = this.control.clock.now();
    if (this.#settings === null || this.#settings.until <= now) {
      const { value } = await readSettings(this.control.store);
      this.#settings = { value: value.oidc, until: now + SETTINGS_MS };
    }
    return this.#settings.value;
  }

  /** The person of these claims, who is made known here the first time. Null = nobody who may come in. */
  async userOf(claims: ProvenClaims, oidc: OidcSettings): Promise<UserRecord | null> {
    const { store } = this.control;
    const { sub: subject = '' } = claims;
    const name = claims[oidc.userClaim];
    if (subject === '' || typeof name !== 'string' || !USER_ID.test(name)) return null;
    const user =
      (await store.identities.userBySubject(oidc.issuer, subject)) ??
      (await this.#welcome(name, subject, oidc));
    return user === null || user.disabledAt !== null ? null : user;
  }

  /** Who this user is here, with the teams and roles that these groups have now. */
  async principalOf(user: UserRecord, groups: readonly string[]): Promise<Principal> {
    const { value } = await this.control.store.identities.groupMappings();
    const held = new Set(groups);
    const granted = value.filter(({ group }) => held.has(group));
    const roles = new Set([...user.roles, ...granted.flatMap((mapping) => mapping.roles)]);
    return {
      id: user.id,
      kind: 'user',
      org: this.control.organisation,
      user: user.id,
      teams: [...new Set([...user.teams, ...granted.flatMap(({ teams }) => teams)])],
      roles: ROLES.filter((role) => roles.has(role)),
      scopes: null,
      credential: { kind: 'oidc', id: `${user.subject?.issuer ?? ''} ${user.subject?.subject ?? ''}` },
    };
  }

  /** The same for somebody who came in before. Null once the organisation trusts another provider, or the person is disabled. */
  async standing(id: string, issuer: string, groups: readonly string[]): Promise<Principal | null> {
    if ((await this.settings())?.issuer !== issuer) return null;
    const user = await this.control.store.identities.user(id);
    if (user === null || user.disabledAt !== null || user.subject?.issuer !== issuer) return null;
    return this.principalOf(user, groups);
  }

  /** The first time: a user without roles of their own. A name that somebody else has here is not taken over. */
  async #welcome(id: string, subject: string, { issuer }: OidcSettings): Promise<UserRecord | null> {
    const { store, clock } = this.control;
    await store.identities.addUser({
      id,
      name: id,
      email: null,
      subject: { issuer, subject },
      teams: [],
      roles: [],
      createdAt: isoNow(clock),
      disabledAt: null,
    });
    return store.identities.userBySubject(issuer, subject);
  }
}

/** The groups that the claims name. What is no list is none. */
export function groupsIn(claims: ProvenClaims, { groupsClaim }: OidcSettings): readonly string[] {
  const groups = claims[groupsClaim];
  if (!Array.isArray(groups)) return [];
  return groups.filter((group): group is string => typeof group === 'string').slice(0, MOST_GROUPS);
}
