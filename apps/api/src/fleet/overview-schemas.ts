import { VERDICTS } from '@wrongstack/contracts';
import { parts } from '@wrongstack/contracts/wire';
import type { Schema } from '../http/route-contract.js';
import { FLEET_STATES } from './fleet-schemas.js';

const { list, open, orNull, whole } = parts;
const TEXT: Schema = { type: 'string' };
const DOLLARS: Schema = { type: 'number', minimum: 0 };
const COUNT = whole(0);
const VERDICT_COUNTS = Object.fromEntries(VERDICTS.map((verdict) => [verdict, COUNT]));
const STATES = ['pending', 'approved', 'rejected', 'expired', 'withdrawn', 'used'] as const;

const SPENT = { inputTokens: COUNT, outputTokens: COUNT, costUsd: DOLLARS };
const USAGE_MEMBERS = {
  ...SPENT,
  byModel: list(open({ model: TEXT, tokens: COUNT, costUsd: DOLLARS }), 50),
  byTeam: list(open({ team: orNull(TEXT), tokens: COUNT, costUsd: DOLLARS }), 50),
};

export const USAGE_OVER_TIME: Schema = open({
  from: { ...TEXT, description: 'Begins the step in which the hours that were asked for begin.' },
  to: { ...TEXT, description: 'Now.' },
  ...USAGE_MEMBERS,
  series: {
    ...list(open({ from: TEXT, ...SPENT }), 100),
    description: 'Steps of equal length that begin at whole hours, oldest first; the last is not over yet.',
  },
});

export const OVERVIEW: Schema = open({
  from: { ...TEXT, description: 'Begins the step in which the hours that were asked for begin.' },
  to: { ...TEXT, description: 'Now.' },
  calls: { ...open({ ...VERDICT_COUNTS, total: COUNT }), description: 'Decided calls by verdict.' },
  answers: { ...COUNT, description: 'How often somebody was asked and an answer was recorded.' },
  prompts: {
    ...open({ asked: COUNT, byAnswer: list(open({ answer: TEXT, count: COUNT }), 50) }),
    description:
      'Questions at the keyboard, as command lines report them: many are a policy that tires people.',
  },
  usage: {
    ...open(USAGE_MEMBERS),
    description: 'As command lines report it. Cost is known where they have a price for the model.',
  },
  approvals: open({}, Object.fromEntries(STATES.map((state) => [state, COUNT]))),
  fleet: open({
    machines: COUNT,
    states: open({}, Object.fromEntries(FLEET_STATES.map((state) => [state, COUNT]))),
  }),
  topDenyingRules: list(open({ rule: TEXT, document: orNull(TEXT), count: COUNT }), 50),
  topTools: list(open({ tool: TEXT, count: COUNT, denied: COUNT }), 50),
  series: {
    ...list(open({ from: TEXT, ...VERDICT_COUNTS, answers: COUNT, prompts: COUNT, ...SPENT }), 100),
    description: 'Steps of equal length that begin at whole hours, oldest first; the last is not over yet.',
  },
});
