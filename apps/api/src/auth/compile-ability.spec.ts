import { abilitiesOf } from './compile-ability.js';
import { ROLES, type Role } from './principal.js';
import { ACTIONS, SUBJECTS } from './role-abilities.js';

const who = (roles: readonly Role[], scopes: readonly string[] | null = null) =>
  abilitiesOf({ kind: 'user', roles, scopes, user: 'ada' });
const mine = { owner: 'ada' };
const foreign = { owner: 'eve' };

describe('what roles may do', () => {
  it('is nothing without a role', () => {
    for (const subject of SUBJECTS) {
      for (const action of ACTIONS) expect(who([]).mayAny(action, subject)).toBe(false);
    }
  });

  it('is one’s own for developers and agents, never somebody else’s', () => {
    for (const role of ['developer', 'agent'] as const) {
      expect(who([role]).may('read', 'Task', mine)).toBe(true);
      expect(who([role]).may('read', 'Task', foreign)).toBe(false);
      expect(who([role]).may('read', 'Task', { owner: null })).toBe(false);
    }
  });

  // CASL answers a question about a kind with yes as soon as any rule exists: it may refuse early, and never lets through.
  it('is asked with the loaded thing: a kind alone says only whether there can be any', () => {
    expect(who(['developer']).mayAny('read', 'Task')).toBe(true);
    expect(who(['developer']).may('read', 'Task', foreign)).toBe(false);
  });

  it('never lets an approver, a developer or an agent touch policies, identities or the audit log', () => {
    for (const role of ['approver', 'developer', 'agent'] as const) {
      for (const action of ['create', 'update', 'delete', 'publish', 'review'] as const) {
        expect(who([role]).mayAny(action, 'Policy')).toBe(false);
        expect(who([role]).mayAny(action, 'User')).toBe(false);
      }
      expect(who([role]).mayAny('read', 'Audit')).toBe(false);
    }
  });

  it('gives an approval to approvers alone', () => {
    const able = ROLES.filter((role) => who([role]).may('decide', 'Approval', foreign));
    expect(able).toEqual(['approver']);
  });

  it('adds up over roles', () => {
    expect(who(['approver', 'auditor']).may('export', 'Audit', { owner: null })).toBe(true);
  });

  it('is narrowed by scopes and never widened', () => {
    expect(who(['admin'], ['read:Policy']).mayAny('read', 'Policy')).toBe(true);
    expect(who(['admin'], ['read:Policy']).mayAny('publish', 'Policy')).toBe(false);
    expect(who(['admin'], []).mayAny('read', 'Policy')).toBe(false);
    expect(who(['developer'], ['publish:Policy', '*:User']).mayAny('publish', 'Policy')).toBe(false);
    expect(who(['developer'], ['*:Task']).may('delete', 'Task', foreign)).toBe(false);
  });

  it('never lets an agent make what outlives it, whatever its owner may', () => {
    const agent = abilitiesOf({ kind: 'agent', roles: ROLES, scopes: null, user: 'ada' });
    for (const subject of ['Token', 'Agent', 'Enrolment', 'User', 'Settings'] as const) {
      for (const action of ACTIONS) expect(agent.may(action, subject, mine)).toBe(false);
    }
    expect(agent.may('read', 'Approval', mine)).toBe(true);
  });

  it('treats no name as a wildcard', () => {
    for (const name of ['all', 'manage', '__proto__', 'constructor']) {
      // A name from outside, as a route or a scope could never spell it.
      expect(who(['admin']).mayAny(name as 'read', 'Policy')).toBe(false);
      expect(who(['admin']).mayAny('read', name as 'Policy')).toBe(false);
    }
  });
});
