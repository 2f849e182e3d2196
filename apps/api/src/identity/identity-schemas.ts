import { parts } from '@wrongstack/contracts/wire';
import { ABILITY_NAMES } from '../auth/ability-names.js';
import { ROLES } from '../auth/principal.js';
import type { Schema } from '../http/route-contract.js';
import { NAME_TEXT, ROLE_LIST, TEAM_LIST } from './token-schemas.js';

export const USER_CHANGE: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'email', 'teams', 'roles', 'disabled'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    email: { type: ['string', 'null'], maxLength: 320 },
    teams: { ...TEAM_LIST, description: 'The first is the one that calls are made for.' },
    roles: ROLE_LIST,
    disabled: { type: 'boolean' },
  },
};

export const USER: Schema = {
  type: 'object',
  required: ['id', 'name', 'email', 'subject', 'teams', 'roles', 'createdAt', 'disabledAt', 'etag'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    email: { type: ['string', 'null'] },
    subject: {
      type: ['object', 'null'],
      description: 'Who the identity provider says it is; null = known here alone.',
      required: ['issuer', 'subject'],
      properties: { issuer: { type: 'string' }, subject: { type: 'string' } },
    },
    teams: { type: 'array', items: { type: 'string' } },
    roles: { type: 'array', items: { enum: [...ROLES] } },
    createdAt: { type: 'string' },
    disabledAt: { type: ['string', 'null'] },
    etag: { type: 'integer' },
  },
};

export const ROLE_TABLE = parts.open({
  roles: parts.list(
    parts.open({
      role: parts.oneOf(...ROLES),
      abilities: { ...ABILITY_NAMES, description: '`<action>:<subject>`: of anybody’s things.' },
      ownAbilities: { ...ABILITY_NAMES, description: 'Of one’s own things alone.' },
    }),
    ROLES.length,
  ),
});

export const GROUP_MAPPINGS: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['mappings'],
  properties: {
    mappings: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['group', 'teams', 'roles'],
        properties: {
          group: { type: 'string', minLength: 1, maxLength: 400 },
          teams: { type: 'array', items: NAME_TEXT, maxItems: 50 },
          roles: ROLE_LIST,
        },
      },
    },
  },
};
