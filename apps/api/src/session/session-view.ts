import type { Principal } from '../auth/principal.js';
import { ABILITY_NAMES, abilityNames } from '../auth/ability-names.js';
import { ROLES } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import type { Schema } from '../http/route-contract.js';
import { readSettings } from '../identity/settings.js';
import { whoIs } from '../identity/who-is.js';
import { VERSION } from '../version.js';
import { IDLE_MS, type StandingSession } from './session-authenticator.js';
import { csrfTokenOf } from './session-cookie.js';

/** Who somebody is, and what a page may offer them. */
export interface SessionView {
  readonly user: { readonly id: string; readonly name: string; readonly kind: string };
  readonly organisation: string;
  readonly teams: readonly string[];
  readonly roles: readonly string[];
  readonly abilities: readonly string[];
  readonly ownAbilities: readonly string[];
  /** A revision waits for somebody other than its author. */
  readonly fourEyes: boolean;
  /** Of the server: a page that was loaded from an older one says so. */
  readonly version: string;
  readonly session: {
    readonly id: string;
    readonly csrf: string;
    readonly expiresAt: string;
    readonly idleAfterSeconds: number;
  } | null;
}

const TEXT: Schema = { type: 'string' };
const TEXTS: Schema = { type: 'array', items: TEXT };

export const SESSION: Schema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'fourEyes',
    'user',
    'organisation',
    'teams',
    'roles',
    'abilities',
    'ownAbilities',
    'version',
    'session',
  ],
  properties: {
    user: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'name', 'kind'],
      properties: { id: TEXT, name: TEXT, kind: { enum: ['user', 'service', 'agent'] } },
    },
    organisation: TEXT,
    fourEyes: { type: 'boolean', description: 'A revision waits for somebody other than its author.' },
    teams: TEXTS,
    roles: { type: 'array', items: { enum: [...ROLES] } },
    abilities: {
      ...ABILITY_NAMES,
      description: '`<action>:<subject>` as in x-ability: of anybody’s things.',
    },
    ownAbilities: { ...ABILITY_NAMES, description: 'Of one’s own things alone.' },
    version: { ...TEXT, description: 'Of the server.' },
    session: {
      description: 'Null where a bearer token was sent.',
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['id', 'csrf', 'expiresAt', 'idleAfterSeconds'],
      properties: {
        id: TEXT,
        csrf: { ...TEXT, description: 'For the header x-wrongstack-csrf.' },
        expiresAt: { type: 'string', format: 'date-time' },
        idleAfterSeconds: { type: 'integer', description: 'Without a request for so long it ends.' },
      },
    },
  },
};

export async function sessionView(
  control: Pick<ControlPlane, 'store' | 'organisation'>,
  caller: Principal,
  session: { readonly standing: Pick<StandingSession, 'session'>; readonly secret: string } | null,
): Promise<SessionView> {
  const { principal, organisation } = await whoIs(control, caller);
  const { teams, roles } = caller;
  return {
    user: { id: principal.id, name: principal.name, kind: caller.kind },
    ...{ organisation, teams, roles },
    ...abilityNames(caller),
    fourEyes: (await readSettings(control.store)).value.fourEyes,
    version: VERSION,
    session:
      session === null
        ? null
        : {
            id: session.standing.session.id,
            csrf: csrfTokenOf(session.secret),
            expiresAt: session.standing.session.expiresAt,
            idleAfterSeconds: IDLE_MS / 1000,
          },
  };
}
