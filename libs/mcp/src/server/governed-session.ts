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
  /** Asks the client's person; null = there is nobody to ask, as in a headless run. */
  readonly approvals: ApprovalChannel | null;
  readonly onProgress: (event: ToolProgressEvent) => void;
  readonly signal: AbortSignal;
}

/** The governed tools of one connection; the app binds it to its kernel. */
export interface GovernedSession {
  readonly id: string;
  tools(): readonly RegisteredTool[];
  call(call: GovernedCall): Promise<CallOutcome>;
  /** A question as a person reads it: the whole command or change, and every floor that stands. */
  describe(request: ApprovalRequest): string;
  /** This connection's own log, one JSON object a line. Nobody else's is ever shown. */
  log(): Promise<string>;
  /** The policies in force, as YAML or JSON text by name. */
  policies(): Promise<readonly { readonly name: string; readonly text: string }[]>;
  close(): Promise<void>;
}
