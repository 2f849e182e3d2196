import type { ApprovalView } from '@wrongstack/contracts/wire';
import type { CommonOptions } from '../../commands/common-options.js';
import { EXIT } from '../../exit-codes.js';
import type { Output } from '../../output.js';
import { usageError } from '../../report-error.js';
import { withCentre } from './open.js';

export interface ApprovalListOptions extends CommonOptions {
  readonly state?: string;
  readonly mine?: boolean;
}

export function approvalsList(_args: readonly string[], options: ApprovalListOptions): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    const query = { state: options.state ?? 'pending', ...(options.mine === true && { mine: true }) };
    const approvals = await centre.client.approvals(query, signal);
    if (output.json) output.writeJson(approvals);
    else if (approvals.length === 0) output.say(`no ${query.state} approvals`);
    else for (const approval of approvals) output.say(summaryOf(approval));
    return EXIT.done;
  });
}

export function approvalsShow([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    const approval = await centre.client.approval(id, signal);
    if (output.json) output.writeJson(approval);
    else showApproval(approval, output);
    return EXIT.done;
  });
}

export interface DecisionOptions extends CommonOptions {
  readonly reason?: string;
}

export const approvalsApprove = (args: readonly string[], options: DecisionOptions): Promise<number> =>
  decide(args, options, 'approve');
export const approvalsReject = (args: readonly string[], options: DecisionOptions): Promise<number> =>
  decide(args, options, 'reject');

function decide(
  [id = '']: readonly string[],
  options: DecisionOptions,
  decision: 'approve' | 'reject',
): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    if (id === '') throw usageError('no approval', 'wstack approvals list');
    const reason = options.reason?.trim();
    const body = { decision, ...(reason !== undefined && reason !== '' && { reason }) };
    const approval = await centre.client.decideApproval(id, body, signal);
    if (output.json) output.writeJson(approval);
    else output.say(summaryOf(approval));
    return EXIT.done;
  });
}

function summaryOf({ id, state, have, need, requester, title, expiresAt }: ApprovalView): string {
  return `${id} · ${state} · ${have} of ${need} yes · ${requester.name} · ${title} · expires ${expiresAt}`;
}

/** All that would run: whoever says yes must be able to see it. */
function showApproval(approval: ApprovalView, output: Output): void {
  output.say(summaryOf(approval));
  if (approval.rule !== null)
    output.say(`rule     ${approval.rule} (${approval.document ?? ''} r${approval.revision ?? ''})`);
  output.say(`because  ${approval.because}`);
  output.say(`asked    ${approval.approvers.from.join(', ') || 'anybody who may approve'}`);
  for (const { by, decision, reason } of approval.decisions) {
    output.say(`${decision === 'approve' ? 'yes' : 'no'}      ${by}${reason === null ? '' : `: ${reason}`}`);
  }
  output.say(`call     ${JSON.stringify(approval.view, null, 2)}`);
  output.say(`digest   ${approval.digest}`);
}
