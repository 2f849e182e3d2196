import { Ajv } from 'ajv';
import type { JSONSchema } from '../../json-schema.js';
import * as wire from './index.js';
import type { Bundle, CreateApproval, RefreshAgent } from './index.js';

const hash = `sha256:${'0'.repeat(64)}`;
const schemas = Object.entries(wire).filter(([name]) => name.endsWith('Schema')) as [string, JSONSchema][];
const check = (schema: JSONSchema, value: unknown): boolean =>
  new Ajv({ strict: true }).compile(schema)(value);

const bundle: Bundle = {
  format: wire.BUNDLE_FORMAT,
  scope: 'team:payments',
  epoch: 1,
  revision: 7,
  issuedAt: '2026-12-01T00:00:00.000Z',
  expiresAt: '2026-12-08T00:00:00Z',
  documents: [{ id: 'payments', revision: 3, digest: hash, text: 'rules: []' }],
};

describe('the wire of the control plane', () => {
  it.each(schemas)('%s compiles in strict mode', (_name, schema) => {
    expect(() => new Ajv({ strict: true }).compile(schema)).not.toThrow();
  });

  it('takes a bundle as it is, and refuses a member that nobody knows at any depth', () => {
    expect(check(wire.bundleSchema, bundle)).toBe(true);
    expect(check(wire.bundleSchema, { ...bundle, relaxed: true })).toBe(false);
    const documents = [{ ...bundle.documents[0], skip: true }];
    expect(check(wire.bundleSchema, { ...bundle, documents })).toBe(false);
  });

  it('refuses a scope that is neither the organisation nor a team', () => {
    expect(check(wire.bundleSchema, { ...bundle, scope: 'user:mira' })).toBe(false);
  });

  it('wants the hash of the next refresh token and nothing else beside the present one', () => {
    const body: RefreshAgent = { refreshToken: 'wsr_x', nextHash: hash };
    expect(check(wire.refreshAgentSchema, body)).toBe(true);
    expect(check(wire.refreshAgentSchema, { ...body, next: 'wsr_y' })).toBe(false);
    expect(check(wire.refreshAgentSchema, { refreshToken: 'wsr_x' })).toBe(false);
  });

  it('says "none" with null, never by leaving a member out', () => {
    const body: CreateApproval = {
      id: 'ap-0123456789abcdef',
      kind: 'approve',
      digest: hash,
      decision: 'd-1',
      session: null,
      tool: 'edit',
      title: 'edit infra/main.tf',
      rule: 'infra-two-people',
      document: 'payments',
      revision: 42,
      because: 'Infra changes need two people',
      view: {},
      facts: {},
      approvers: { count: 2, from: ['platform-oncall'], excludeRequester: true },
      ttlMinutes: 30,
    };
    expect(check(wire.createApprovalSchema, body)).toBe(true);
    const { session: _left, ...without } = body;
    expect(check(wire.createApprovalSchema, without)).toBe(false);
  });
});
