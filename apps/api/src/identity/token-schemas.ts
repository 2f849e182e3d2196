import type { TokenRecord } from '@wrongstack/contracts/control';
import { ROLES } from '../auth/principal.js';
import { ACTIONS, SUBJECTS } from '../auth/role-abilities.js';
import type { Schema } from '../http/route-contract.js';

const NAME: Schema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$' };
const TEAMS: Schema = { type: 'array', items: NAME, maxItems: 50, uniqueItems: true };
export const ROLE_LIST: Schema = {
  type: 'array',
  items: { enum: [...ROLES] },
  maxItems: 6,
  uniqueItems: true,
};
export const TEAM_LIST = TEAMS;
export const NAME_TEXT = NAME;

const SCOPE: Schema = {
  type: 'string',
  description: '`<action>:<subject>`, `*:<subject>`, or `*` for all that the roles allow.',
  pattern: `^(?:\\*|(?:\\*|${ACTIONS.join('|')}):(?:${SUBJECTS.join('|')}))$`,
};

export interface NewTokenBody {
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly expiresInDays?: number;
  readonly agent?: string;
  readonly service?: {
    readonly id: string;
    readonly roles: readonly TokenRecord['roles'][number][];
    readonly teams?: readonly string[];
  };
}

export const NEW_TOKEN: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100, description: 'What it is for.' },
    scopes: {
      type: 'array',
      items: SCOPE,
      minItems: 1,
      maxItems: 100,
      description: 'Missing = ["*"], for an agent ["create:ToolCall"].',
    },
    expiresInDays: { type: 'integer', minimum: 1, maximum: 366, description: 'Missing = 90.' },
    agent: {
      type: 'string',
      pattern: '^ag-[0-9a-f]{1,40}$',
      description:
        'For an enrolled agent of yours instead of yourself: what it presents to MCP servers of ours.',
    },
    service: {
      type: 'object',
      description: 'For a service instead of yourself. Admins only.',
      additionalProperties: false,
      required: ['id', 'roles'],
      properties: { id: NAME, roles: ROLE_LIST, teams: TEAMS },
    },
  },
};

export const TOKEN: Schema = {
  type: 'object',
  required: [
    ...['id', 'name', 'principal', 'roles', 'teams', 'scopes'],
    ...['createdBy', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'],
  ],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    principal: {
      type: 'object',
      required: ['id', 'kind'],
      properties: { id: { type: 'string' }, kind: { enum: ['user', 'service', 'agent'] } },
    },
    roles: { type: 'array', items: { enum: [...ROLES] } },
    teams: { type: 'array', items: { type: 'string' } },
    scopes: { type: 'array', items: { type: 'string' } },
    createdBy: { type: 'string' },
    createdAt: { type: 'string' },
    expiresAt: { type: ['string', 'null'] },
    revokedAt: { type: ['string', 'null'] },
    lastUsedAt: { type: ['string', 'null'] },
  },
};

export const ISSUED_TOKEN: Schema = {
  type: 'object',
  required: ['token', 'record'],
  properties: {
    token: { type: 'string', description: 'Shown this once.' },
    record: TOKEN,
  },
};

/** A token as it is listed: never with its hash. */
export function tokenView({
  secretHash: _,
  kind: _kind,
  ...view
}: TokenRecord): Omit<TokenRecord, 'secretHash' | 'kind'> {
  return view;
}
