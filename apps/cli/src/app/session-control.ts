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

  constructor({ mode, yolo, interactive }: BootRequest['session']) {
    this.mode = mode;
    this.yolo = yolo;
    this.#interactive = interactive;
  }

  readonly facts = (): SessionFacts => ({
    mode: this.mode,
    interactive: this.#interactive,
    yolo: this.yolo,
    sandboxed: false,
    // There is no control plane to send an approval to yet, so what needs other people is denied.
    remoteApprovals: false,
  });
}

/** The channel that the kernel is wired to before there is a terminal. Until one is there, every question is a no. */
export class SwitchableApprovals extends ApprovalChannel {
  #channel: ApprovalChannel | null = null;

  use(channel: ApprovalChannel): void {
    this.#channel = channel;
  }

  override async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    return this.#channel?.ask(request, signal) ?? { kind: 'no', reason: 'nobody is there to ask' };
  }
}
