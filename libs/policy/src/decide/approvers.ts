import type { ApproversNeeded } from '@wrongstack/contracts';
import type { CompiledRule } from '../rules/compiled-rule.js';
import type { FloorList } from './floor-list.js';
import { floorSource } from './sources.js';

/** A confirmation that nobody at the keyboard can give, sent to whoever may answer for the session. */
export const ANY_REMOTE_PERSON: ApproversNeeded = {
  count: 1,
  from: [],
  ttlMinutes: null,
  excludeRequester: false,
};

/**
 * Who must say yes where one rule or several ask for approval: people whom each of them names, as many as the most
 * demanding one wants, within the shortest time. Rules that name no common people cannot be met, and that denies.
 */
export function approversNeeded(rules: readonly CompiledRule[], floors: FloorList): ApproversNeeded | null {
  const needs = rules.flatMap(({ effect, rule }) => (effect === 'approve' ? (rule.approvers ?? []) : []));
  const [first, ...others] = needs;
  if (first === undefined) return null;
  const from = first.from.filter((name) => others.every((need) => need.from.includes(name)));
  if (from.length === 0) {
    const names = needs.map((need) => need.from.join(', ')).join(' and ');
    floors.hard(
      'deny',
      floorSource('no-common-approver'),
      `rules ask ${names} to approve, and nobody is in both`,
    );
  }
  const times = needs.flatMap((need) => need.ttlMinutes ?? []);
  return {
    count: Math.max(...needs.map((need) => need.count)),
    from,
    ttlMinutes: times.length === 0 ? null : Math.min(...times),
    excludeRequester: needs.some((need) => need.excludeRequester !== false),
  };
}
