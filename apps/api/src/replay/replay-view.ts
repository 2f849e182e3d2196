import type { ReplayJob } from '@wrongstack/contracts/control';
import { parts } from '@wrongstack/contracts/wire';
import type { Schema } from '../http/route-contract.js';

/** A replay as it is shown: without the text that it tries. */
export interface ReplayView extends Omit<ReplayJob, 'text' | 'progress' | 'throughSeq'> {
  readonly progress: {
    /** 0..100. */
    readonly percent: number;
    readonly looked: number;
    readonly skipped: number;
  };
  readonly flips: number;
  /** Teams that have a flip. */
  readonly teams: number;
}

export function isFinished({ state }: Pick<ReplayJob, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

export function replayView({ text: _, progress, throughSeq, ...rest }: ReplayJob): ReplayView {
  const { seq, looked, skipped, flips, teams } = progress;
  const part = rest.state === 'done' || throughSeq === 0 ? 1 : seq / throughSeq;
  return { ...rest, progress: { percent: Math.floor(part * 1000) / 10, looked, skipped }, flips, teams };
}

const COUNT: Schema = { type: 'integer', minimum: 0 };

export const REPLAY: Schema = {
  type: 'object',
  required: [
    ...['id', 'policy', 'draftEtag', 'requester', 'createdAt', 'endedAt', 'from', 'to'],
    ...['state', 'because', 'progress', 'flips', 'teams', 'etag'],
  ],
  properties: {
    id: { type: 'string' },
    policy: { type: 'string' },
    draftEtag: { type: ['integer', 'null'] },
    requester: { type: 'string' },
    createdAt: { type: 'string' },
    endedAt: { type: ['string', 'null'] },
    from: { type: ['string', 'null'] },
    to: { type: ['string', 'null'] },
    state: { enum: ['queued', 'running', 'done', 'failed', 'cancelled'] },
    because: { type: ['string', 'null'] },
    progress: {
      type: 'object',
      required: ['percent', 'looked', 'skipped'],
      properties: {
        percent: { type: 'number', minimum: 0, maximum: 100 },
        looked: { ...COUNT, description: 'Decisions that were decided again.' },
        skipped: { ...COUNT, description: 'Records that could not be.' },
      },
    },
    flips: { ...COUNT, description: 'Decisions that the draft changes.' },
    teams: { ...COUNT, description: 'Teams that have one.' },
    etag: COUNT,
  },
};

/** With the counts of the teams. */
export const REPLAY_REPORT: Schema = parts.and(REPLAY, {
  flipsByTeam: {
    type: 'array',
    items: {
      type: 'object',
      required: ['team', 'flips'],
      properties: { team: { type: ['string', 'null'] }, flips: COUNT },
    },
  },
});

export const FLIP: Schema = {
  type: 'object',
  required: ['seq', 'at', 'actor', 'team', 'tool', 'before', 'after', 'by'],
  properties: {
    seq: { type: 'integer', description: 'Of the audit record.' },
    at: { type: 'string' },
    actor: { type: ['string', 'null'] },
    team: { type: ['string', 'null'] },
    tool: { type: 'string' },
    before: { type: 'string' },
    after: { type: 'string' },
    by: { type: 'string', description: 'The rule or floor that decides now.' },
  },
};
