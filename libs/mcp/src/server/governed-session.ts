import type {
  ApprovalChannel,
  ApprovalRequest,
  RegisteredTool,
  ToolProgressEvent,
} from '@wrongstack/contracts';
import type { CallOutcome } from '@wrongstack/kernel';

/** One call by a client. Every one goes the whole way of any call: validated, decided, recorded. */
export interface GovernedCall {
  readonly name: string;
  readonly input: unknown;
  /** What the client calls itself, never vouched for. */
  readonly agent: string | null;
  /** The client can ask its person; otherwise it is as in a headless run. */
  readonly interactive: boolean;
  /** Asks whom the decision names; null = there is nobody to ask. */
  readonly approvals: ApprovalChannel | null;
  readonly onProgress: (event: ToolProgressEvent) => void;
  /** Other people have been asked, or one of them has answered. */
  readonly onWaiting: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The governed tools of one connection; the app binds it to its kernel. */
export interface GovernedSession {
  readonly id: string;
  tools(): readonly RegisteredTool[];
  call(call: GovernedCall): Promise<CallOutcome>;
  /** Asks other people through the control plane; null = none is there. `waits`: for their answer; else the call is parked. */
  others(waits: boolean): ApprovalChannel | null;
  /** A question as a person reads it: the whole command or change, and every floor that stands. */
  describe(request: ApprovalRequest): string;
  /** This connection's own log, one JSON object a line. Nobody else's is ever shown. */
  log(): Promise<string>;
  /** The policies in force, as YAML or JSON text by name. */
  policies(): Promise<readonly { readonly name: string; readonly text: string }[]>;
  close(): Promise<void>;
}
