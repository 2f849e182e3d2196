import type { ControlStore, OrganisationSettings } from '@wrongstack/contracts/control';
import type { Schema } from '../http/route-contract.js';

/** What an organisation decides about its control plane. */
export interface Settings {
  /** Who vouches for people. Null = only tokens of our own. */
  readonly oidc: OidcSettings | null;
  /** A revision waits for somebody other than its author. */
  readonly fourEyes: boolean;
  /** A rollout stops by itself when the share of denials rises by more than so many percent points, and by at least so many denials. Null = never. */
  readonly haltOnDenials: { readonly percent: number; readonly atLeast: number } | null;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly audience: string;
  /** The claim whose text is the person's id here. */
  readonly userClaim: string;
  readonly groupsClaim: string;
  /** Of the console, at the provider: people sign in there. Null = with tokens alone. */
  readonly clientId: string | null;
}

export const DEFAULT_SETTINGS: Settings = {
  oidc: null,
  fourEyes: false,
  haltOnDenials: { percent: 20, atLeast: 20 },
};

const CLAIM: Schema = { type: 'string', pattern: '^[A-Za-z0-9_:./-]{1,200}$' };

export const SETTINGS: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['oidc', 'fourEyes', 'haltOnDenials'],
  properties: {
    oidc: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['issuer', 'audience', 'userClaim', 'groupsClaim'],
      properties: {
        issuer: { type: 'string', format: 'uri', maxLength: 1000 },
        audience: { type: 'string', minLength: 1, maxLength: 200 },
        userClaim: CLAIM,
        groupsClaim: CLAIM,
        clientId: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: 400,
          description: 'Of the console, at the provider. Missing = null: people sign in with tokens alone.',
        },
      },
    },
    fourEyes: { type: 'boolean' },
    haltOnDenials: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['percent', 'atLeast'],
      properties: {
        percent: { type: 'integer', minimum: 1, maximum: 100 },
        atLeast: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      },
    },
  },
};

/** As they are kept, with the defaults of what was never written. */
export async function readSettings(
  store: Pick<ControlStore, 'identities'>,
): Promise<{ readonly etag: number; readonly value: Settings }> {
  const { etag, value } = await store.identities.settings();
  // Only what SETTINGS has let through is ever written.
  const { oidc, fourEyes, haltOnDenials } = { ...DEFAULT_SETTINGS, ...(value as Partial<Settings>) };
  const withClient = oidc === null ? null : { ...oidc, clientId: oidc.clientId ?? null };
  return { etag, value: { oidc: withClient, fourEyes, haltOnDenials } };
}

export function storedSettings(settings: Settings): OrganisationSettings {
  const { oidc, fourEyes, haltOnDenials } = settings;
  return {
    oidc: oidc === null ? null : { ...oidc },
    fourEyes,
    haltOnDenials: haltOnDenials === null ? null : { ...haltOnDenials },
  };
}
