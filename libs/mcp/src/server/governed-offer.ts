import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import { spelledOut } from '../tools/untrusted-text.js';
import { callResult } from './call-result.js';
import { ElicitedApprovals } from './elicited-approvals.js';
import type { GovernedSession } from './governed-session.js';
import { isServed, listedTool } from './listed-tool.js';
import type { McpCallLine, McpOffer } from './mcp-offer.js';

const INSTRUCTIONS =
  'Every call is decided by a policy. A denied call says which rule or floor denied it and what to do instead: follow that, and do not try to reach the same effect another way.';
const POLICY = 'wstack://policy/';
const POLICY_TEMPLATE = `${POLICY}{name}`;

const PROMPTS: readonly Prompt[] = [
  {
    name: 'explain-denial',
    title: 'Explain a denial',
    description: 'What a denied call means and what can be done',
    arguments: [{ name: 'denial', description: 'The text of the denied result', required: true }],
  },
  {
    name: 'plan-change',
    title: 'Plan a change',
    description: 'Read first, then propose the steps, changing nothing',
    arguments: [{ name: 'goal', description: 'What shall be reached', required: true }],
  },
];

/** The governed tools of one connection, its log, and the policies in force. */
export class GovernedOffer implements McpOffer {
  readonly instructions = INSTRUCTIONS;
  #changed: (uri: string) => void = () => undefined;

  constructor(private readonly session: GovernedSession) {}

  tools() {
    return this.session.tools().filter(isServed).map(listedTool);
  }

  async call(name: string, input: unknown, line: McpCallLine): Promise<CallToolResult> {
    let step = 0;
    // For a person to look at, as the question is; the result is the model's, and stays as it is.
    const report = (text: string): void => {
      step += 1;
      line.progress?.(step, spelledOut(text));
    };
    const { name: agent, elicits } = line.peer;
    // A task's client comes back for the result anyway; who waits for an answer at once must not wait for hours.
    const others = this.session.others(line.task);
    const outcome = await this.session.call({
      name,
      input,
      agent,
      interactive: elicits,
      approvals: elicits
        ? new ElicitedApprovals(line, (request) => this.session.describe(request), others)
        : others,
      onProgress: (event) => {
        if ('text' in event && event.text !== undefined && event.text !== '') report(event.text);
      },
      onWaiting: (text) => {
        report(text);
        line.status(text);
      },
      signal: line.signal,
    });
    this.#changed(this.#logUri());
    return callResult(outcome);
  }

  resources(): readonly Resource[] {
    return [
      {
        uri: this.#logUri(),
        name: 'session-log',
        title: 'Log of this session',
        description: 'Every call of this connection, its decision and its result',
        mimeType: 'application/x-ndjson',
      },
      {
        uri: POLICY,
        name: 'policies',
        title: 'Policies in force',
        description: 'The documents that decide the calls of this connection',
        mimeType: 'text/plain',
      },
    ];
  }

  templates(): readonly ResourceTemplate[] {
    return [
      {
        uriTemplate: POLICY_TEMPLATE,
        name: 'policy',
        title: 'One policy in force',
        mimeType: 'application/json',
      },
    ];
  }

  async read(uri: string): Promise<ReadResourceResult | null> {
    if (uri === this.#logUri()) {
      return { contents: [{ uri, mimeType: 'application/x-ndjson', text: await this.session.log() }] };
    }
    if (!uri.startsWith(POLICY)) return null;
    const documents = (await this.session.policies()).map(({ name, text }) => ({
      uri: `${POLICY}${encodeURIComponent(name)}`,
      mimeType: 'application/json',
      text,
    }));
    if (uri !== POLICY) {
      const found = documents.find((document) => document.uri === uri);
      return found === undefined ? null : { contents: [found] };
    }
    const none = { uri, mimeType: 'text/plain', text: 'no documents: the built-in rules decide' };
    return { contents: documents.length === 0 ? [none] : documents };
  }

  prompts(): readonly Prompt[] {
    return PROMPTS;
  }

  prompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult | null {
    switch (name) {
      case 'explain-denial':
        return asked(
          `Explain this denial to me: which rule or floor it names, why it is there, and what I can do.\n\n${args['denial'] ?? ''}`,
        );
      case 'plan-change':
        return asked(
          `Use read-only tools to look at what matters for this goal, then propose the steps. Change nothing yet.\n\n${args['goal'] ?? ''}`,
        );
      default:
        return null;
    }
  }

  async complete(reference: string, _argument: string, value: string): Promise<string[]> {
    if (reference !== POLICY_TEMPLATE) return [];
    const names = (await this.session.policies()).map(({ name }) => name);
    return names.filter((name) => name.startsWith(value));
  }

  watch(changed: (uri: string) => void): void {
    this.#changed = changed;
  }

  close(): Promise<void> {
    return this.session.close();
  }

  #logUri(): string {
    return `wstack://sessions/${this.session.id}`;
  }
}

function asked(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
