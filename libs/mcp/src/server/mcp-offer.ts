import type {
  CallToolResult,
  CompleteResult,
  ElicitRequestFormParams,
  ElicitResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '@modelcontextprotocol/sdk/types.js';

/** Who is on the other side. The name is what it calls itself: nobody vouches for it. */
export interface McpPeer {
  readonly name: string | null;
  /** It can ask its person. */
  readonly elicits: boolean;
  readonly samples: boolean;
}

/** What a call may send back while it runs, on the stream of its own request. */
export interface McpCallLine {
  readonly peer: McpPeer;
  readonly signal: AbortSignal;
  /** The call was started as a task: its client comes back for the result, however long it takes. */
  readonly task: boolean;
  /** What it is about at the moment, for whoever looks at the task; nothing for other calls. */
  status(text: string): void;
  /** Null = the client asked for no progress. */
  readonly progress: ((progress: number, message?: string, total?: number) => void) | null;
  log(level: 'debug' | 'info' | 'warning' | 'error', data: unknown): Promise<void>;
  elicit(params: ElicitRequestFormParams): Promise<ElicitResult>;
  sample(prompt: string, maxTokens: number): Promise<string>;
  /** Ends the stream for now; the client comes back for the rest. Missing where there is no such stream. */
  readonly hangUp?: () => void;
}

/** What one connection offers. The protocol around it is the same whoever fills it. */
export interface McpOffer {
  readonly instructions?: string;
  tools(): readonly Tool[];
  /** Throws an `McpError` of the library for what is no call at all; a call that fails is a result. */
  call(name: string, input: unknown, line: McpCallLine): Promise<CallToolResult>;
  resources(): readonly Resource[];
  templates(): readonly ResourceTemplate[];
  /** Null = there is no such resource. */
  read(uri: string): Promise<ReadResourceResult | null>;
  prompts(): readonly Prompt[];
  /** Null = there is no such prompt. */
  prompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult | null;
  /** `reference`: a prompt's name, or a template of resources. */
  complete(
    reference: string,
    argument: string,
    value: string,
  ): CompleteResult['completion']['values'] | Promise<CompleteResult['completion']['values']>;
  /** Tells of resources that have changed; missing = they never do. */
  watch?(changed: (uri: string) => void): void;
  close(): Promise<void>;
}
