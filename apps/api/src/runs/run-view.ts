import type { ServerRun } from '@wrongstack/contracts/control';
import type { RunSummary, RunView } from '@wrongstack/contracts/wire';
import type { PeoplesNames } from '../approvals/approval-views.js';
import { ApiProblem } from '../errors/api-problem.js';
import { bookOf, specOf } from './run-record.js';

const SHORT_PROMPT = 200;

export function unknownRun(): ApiProblem {
  return new ApiProblem(404, 'run.unknown', 'there is no such run');
}

export async function runSummary(run: ServerRun, names: PeoplesNames): Promise<RunSummary> {
  const { id, state, requester, team, createdAt, startedAt, endedAt, cancel } = run;
  const { workspace, prompt, model } = specOf(run);
  return {
    ...{ id, state, team, workspace, model, createdAt, startedAt, endedAt, cancel },
    requester: { id: requester, name: await names.of(requester) },
    prompt: prompt.length <= SHORT_PROMPT ? prompt : `${prompt.slice(0, SHORT_PROMPT)}…`,
    waitsFor: bookOf(run).waitsFor,
  };
}

export async function runView(run: ServerRun, names: PeoplesNames): Promise<RunView> {
  const { prompt, limits } = specOf(run);
  const { session, attempt, used, outcome } = bookOf(run);
  const { turns, toolCalls, tokens, costUsd, ms } = used;
  return {
    ...(await runSummary(run, names)),
    ...{ prompt, limits, session, attempt },
    used: { turns, toolCalls, tokens, costUsd, seconds: Math.round(ms / 100) / 10 },
    result: outcome,
  };
}
