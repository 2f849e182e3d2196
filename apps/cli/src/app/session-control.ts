import {
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalRequest,
  type SessionFacts,
} from '@wrongstack/contracts';
import type { BootRequest } from './boot-request.js';

/** What the person can change while a session runs. Read anew for each call. */
export class SessionControl {
  mode: 'default' | 'plan';
  yolo: boolean;
  readonly #interactive: boolean;
  readonly #remoteApprovals: () => boolean;

  /** `remoteApprovals`: somebody is signed in to a control plane, so that other people can be asked. */
  constructor(
    { mode, yolo, interactive }: BootRequest['session'],
    remoteApprovals: () => boolean = () => false,
  ) {
    this.#remoteApprovals = remoteApprovals;
    this.mode = mode;
    this.yolo = yolo;
    this.#interactive = interactive;
  }

  readonly facts = (): SessionFacts => ({
    mode: this.mode,
    interactive: this.#interactive,
    yolo: this.yolo,
    sandboxed: false,
    remoteApprovals: this.#remoteApprovals(),
  });
}

/**
 * The channel that the kernel is wired to before there is a terminal. Until one is there, every question is a no. What other
 * people must answer goes to them and never to the person at the keyboard.
 */
export class SwitchableApprovals extends ApprovalChannel {
  #channel: ApprovalChannel | null = null;

  constructor(private readonly others: ApprovalChannel | null = null) {
    super();
  }

  use(channel: ApprovalChannel): void {
    this.#channel = channel;
  }

  override async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const channel = request.decision.verdict === 'approve' ? this.others : this.#channel;
    return channel?.ask(request, signal) ?? { kind: 'no', reason: 'nobody is there to ask' };
  }
}
