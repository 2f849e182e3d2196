import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { ApprovalChannel, type ApprovalAnswer, type ApprovalRequest } from '@wrongstack/contracts';
import type { McpCallLine } from './mcp-offer.js';

const ALLOW = 'allow once';
const REJECT = 'reject';

const SCHEMA: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    answer: { type: 'string', title: 'Answer', enum: [REJECT, ALLOW] },
    reason: { type: 'string', title: 'Why not', description: 'The agent reads it' },
  },
  required: ['answer'],
};

/**
 * Asks the person behind a client, and never for what `others` must approve. Only once or no: an "always" would hold for everything that works in this project, and
 * who asks here is an agent that nobody vouches for.
 */
export class ElicitedApprovals extends ApprovalChannel {
  constructor(
    private readonly line: Pick<McpCallLine, 'elicit'>,
    private readonly describe: (request: ApprovalRequest) => string,
    private readonly others: ApprovalChannel | null = null,
  ) {
    super();
  }

  override async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (request.decision.verdict === 'approve') {
      const nobody = 'other people have to approve this, and no control plane is connected';
      return this.others?.ask(request, signal) ?? { kind: 'no', reason: nobody };
    }
    signal.throwIfAborted();
    const { action, content } = await this.line.elicit({
      mode: 'form',
      message: this.describe(request),
      requestedSchema: SCHEMA,
    });
    if (action === 'accept' && content?.['answer'] === ALLOW) return { kind: 'once' };
    const reason = content?.['reason'];
    return typeof reason === 'string' && reason !== '' ? { kind: 'no', reason } : { kind: 'no' };
  }
}
