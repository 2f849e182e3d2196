import { VERDICTS } from '@wrongstack/contracts';
import { parts } from '@wrongstack/contracts/wire';
import type { Schema } from '../http/route-contract.js';

const { anyObject, flag, list, oneOf, open, orNull, whole } = parts;

const TEXT: Schema = { type: 'string' };
export const VERDICT = oneOf(...VERDICTS);
const TIER = oneOf('org', 'team', 'orgDefault', 'builtin', 'user', 'project', 'plugin');

const SOURCE = open(
  { kind: oneOf('rule', 'floor', 'tool', 'actor', 'state', 'user', 'hook', 'trust'), id: TEXT },
  { tier: TIER, document: TEXT, revision: whole(0) },
);
const FLOOR = open({
  kind: oneOf('hard', 'acknowledged', 'outside-read', 'soft'),
  verdict: VERDICT,
  source: SOURCE,
  reason: TEXT,
  loweredBy: orNull(SOURCE),
});
const MATCH = open({
  id: TEXT,
  effect: oneOf('allow', 'confirm', 'approve', 'deny', 'oblige'),
  tier: TIER,
  document: TEXT,
  revision: whole(0),
  because: TEXT,
  applied: flag,
  on: orNull(TEXT),
});
const APPROVERS = open({
  count: whole(1),
  from: list(TEXT, 100),
  ttlMinutes: orNull(whole(1)),
  excludeRequester: flag,
});

/** `Decision` of contracts. Facts, obligations and trust are said whole; what they look like is in libs/policy/spec. */
export const DECISION = open({
  id: TEXT,
  verdict: VERDICT,
  demanded: VERDICT,
  by: SOURCE,
  because: TEXT,
  instead: orNull(TEXT),
  floors: list(FLOOR, 1000),
  matches: list(MATCH, 10_000),
  obligations: list(anyObject, 1000),
  approvers: orNull(APPROVERS),
  trustOffer: anyObject,
  facts: anyObject,
  factsDigest: TEXT,
  approvalDigest: TEXT,
  policy: open({
    id: orNull(TEXT),
    revision: orNull(whole(0)),
    state: oneOf('none', 'fresh', 'stale', 'expired', 'undetermined'),
  }),
  micros: { type: 'number' },
});

/** `ExplainView` of libs/policy: a decision as a person reads it. */
export const EXPLANATION = open({
  verdict: VERDICT,
  demanded: {
    ...orNull(VERDICT),
    description: 'Before the channel, where that differs: nobody was there to answer.',
  },
  by: { ...TEXT, description: '`rule no-prod-kube`, `tool bash`.' },
  micros: { type: 'number' },
  demands: {
    ...list(
      open({
        verdict: VERDICT,
        source: TEXT,
        document: { ...TEXT, description: '`team payments r42`; empty where no document stands behind it.' },
        kind: oneOf('hard', 'acknowledged', 'outside-read', 'soft'),
        reason: TEXT,
        outcome: { ...TEXT, description: '`not lowered`, or `lowered by …`.' },
      }),
      1000,
    ),
    description: 'Every floor.',
  },
  matches: {
    ...list(
      open({ rule: TEXT, effect: TEXT, document: TEXT, on: orNull(TEXT), because: TEXT, outcome: TEXT }),
      10_000,
    ),
    description:
      'Rules that matched without being floors: allows, obligations, those in shadow mode or overridden.',
  },
  because: TEXT,
  instead: orNull(TEXT),
  approvers: orNull(TEXT),
  obligations: list(TEXT, 1000),
  facts: { ...list(TEXT, 10_000), description: 'Commands, capabilities, paths and hosts, one line each.' },
  policy: TEXT,
  factsDigest: TEXT,
  trust: TEXT,
  noMatch: {
    ...list(open({ rule: TEXT, reason: TEXT }), 100),
    description: 'Rules that come close, and why they do not match.',
  },
});

/** What happened, as it was shipped: clients of any version wrote it, so that little is certain. */
export const AUDIT_ENTRY = open(
  {
    kind: oneOf('decision', 'recheck', 'approval', 'outcome', 'grant', 'gap', 'note'),
    ts: TEXT,
    session: orNull(TEXT),
    run: orNull(TEXT),
    call: orNull(TEXT),
  },
  { decision: anyObject, data: anyObject },
);
