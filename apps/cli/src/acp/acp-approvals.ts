import type { AgentContext, PermissionOption, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import {
  ApprovalChannel,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Clock,
  type Decision,
} from '@wrongstack/contracts';
import { formatMoment } from '../terminal/format.js';
import { messages } from '../terminal/messages.js';
import { subjectText } from '../terminal/sources.js';
import type { CallCards } from './call-cards.js';
import { permissionText } from './permission-text.js';
import { textContent } from './wire-content.js';

export interface AcpApprovalsOptions {
  readonly client: Pick<AgentContext, 'request'>;
  readonly sessionId: string;
  readonly cards: CallCards;
  readonly clock: Clock;
  readonly home: string;
  /** Everything announced so far has been sent: a call is on screen before its question is. */
  readonly announced: () => Promise<void>;
  /** The client says that the turn is over. */
  readonly onCancelled: () => void;
}

type AnswerId = 'once' | 'always' | 'no' | 'never';

/** Asks the person in the editor. Only an option that was offered, chosen by its id, is ever a yes. */
export class AcpApprovals extends ApprovalChannel {
  constructor(private readonly options: AcpApprovalsOptions) {
    super();
  }

  override async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (request.decision.verdict === 'approve') return { kind: 'no', reason: messages.question.nobodyToAsk };
    const { client, sessionId, cards, clock, home } = this.options;
    const offered = optionsFor(request, home);
    await this.options.announced();
    signal.throwIfAborted();
    const why = textContent(permissionText(request, home, clock.now()));
    const response = await client.request(
      'session/request_permission',
      {
        sessionId,
        toolCall: {
          toolCallId: request.call.id,
          status: 'pending',
          content: [why, ...cards.pendingContent(request.call.id)],
        },
        options: offered,
      },
      // The person's interruption ends the wait at once, whether or not the client still answers.
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    return this.#answerOf(response, offered, signal);
  }

  #answerOf(
    { outcome }: RequestPermissionResponse,
    offered: readonly PermissionOption[],
    signal: AbortSignal,
  ): ApprovalAnswer {
    if (outcome.outcome !== 'selected') {
      this.options.onCancelled();
      signal.throwIfAborted();
      return { kind: 'no', reason: 'the question was closed without an answer' };
    }
    const chosen = offered.find(({ optionId }) => optionId === outcome.optionId);
    // What we offered is made of our own ids.
    return chosen === undefined
      ? { kind: 'no', reason: 'the editor gave an answer that was not offered' }
      : { kind: chosen.optionId as AnswerId };
  }
}

function optionsFor({ call, decision }: ApprovalRequest, home: string): PermissionOption[] {
  const { trustOffer, facts } = decision;
  const { tool } = call;
  // A destructive call is allowed once or not at all.
  if (!trustOffer.offered || facts.callRisk === 'destructive') return [allowOnce(decision), rejectOnce];
  const subjects = trustOffer.subjects.map((subject) => subjectText(tool.name, subject, home)).join(', ');
  const until = formatMoment(Date.parse(trustOffer.expiresAt));
  return [
    allowOnce(decision),
    option('always', 'allow_always', `Always allow ${subjects} (this project, until ${until})`),
    rejectOnce,
    option('never', 'reject_always', `Never allow ${subjects}`),
  ];
}

const rejectOnce = option('no', 'reject_once', 'Reject');

function allowOnce({ facts }: Decision): PermissionOption {
  return option(
    'once',
    'allow_once',
    facts.callRisk === 'destructive' ? 'Allow once (DESTRUCTIVE)' : 'Allow once',
  );
}

function option(optionId: AnswerId, kind: PermissionOption['kind'], name: string): PermissionOption {
  return { optionId, kind, name };
}
