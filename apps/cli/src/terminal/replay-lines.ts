import type { BuiltInSessionEntry, ContentBlock, SessionEntry, ToolCallView } from '@wrongstack/contracts';
import { resultCard } from './cards.js';
import { subjectOf, type CallViews } from './call-views.js';
import { declinedCard, parkedLine } from './denial-lines.js';
import { indented, line, span, wrapLine, type Line } from './lines.js';
import { MarkdownStream } from './markdown.js';
import { messages } from './messages.js';
import { taskOf } from './task-ids.js';
import type { Look } from './theme.js';

interface Asked {
  readonly tool: string;
  readonly input: unknown;
  readonly view: ToolCallView;
  readonly decision: { readonly verdict: string; readonly because: string } | null;
}

/**
 * A session's log as the person saw it: their own messages, the answers, and calls as cards. What was only said to the
 * model (results, injected notices) never appears as if somebody had typed it.
 */
export class SessionReplay {
  private readonly calls = new Map<string, Asked>();

  constructor(
    private readonly views: CallViews,
    private readonly look: Look,
  ) {}

  /** Lines of the next entry of the log. */
  linesOf(entry: SessionEntry): Line[] {
    if (!isBuiltIn(entry)) return [];
    switch (entry.type) {
      case 'user_input':
        return this.userLines(textOf(entry.content));
      case 'assistant_message':
        return entry.content.flatMap((block) => (block.type === 'text' ? this.proseLines(block.text) : []));
      case 'tool_use': {
        const view = this.views.call(entry.name, entry.input);
        this.calls.set(entry.call, { tool: entry.name, input: entry.input, view, decision: null });
        return [];
      }
      case 'decision': {
        const asked = this.calls.get(entry.call);
        if (asked !== undefined) this.calls.set(entry.call, { ...asked, decision: entry });
        return [];
      }
      case 'tool_result':
        return this.resultLines(entry);
      case 'repair':
        return [line(span(`${this.look.marks.warning} ${entry.what}`, 'warning'))];
      default:
        return [];
    }
  }

  private userLines(text: string): Line[] {
    const mark = this.look.plain ? `${messages.labels.you} ` : '> ';
    const rows = text
      .split('\n')
      .flatMap((row) => wrapLine(line(span(row, 'strong')), this.look.columns - mark.length));
    return [
      line(),
      ...rows.map((row, index) => indented(row, index === 0 ? mark : ' '.repeat(mark.length), 'strong')),
    ];
  }

  private proseLines(text: string): Line[] {
    const stream = new MarkdownStream();
    return [...stream.push(text, this.look), ...stream.end(this.look)];
  }

  private resultLines(entry: Extract<BuiltInSessionEntry, { type: 'tool_result' }>): Line[] {
    const asked = this.calls.get(entry.call) ?? null;
    const view = asked?.view ?? this.views.call(entry.name, {});
    // What waited for others is decided again, and has another result then.
    if (entry.status !== 'parked') this.calls.delete(entry.call);
    switch (entry.status) {
      case 'denied': {
        // What policy asked about, a person refused; their words are in the result.
        const [reason, word] =
          asked?.decision?.verdict === 'confirm'
            ? [textOf(entry.content), messages.denial.declined]
            : [asked?.decision?.because ?? null, messages.denial.denied];
        return declinedCard(entry.name, subjectOf(view), reason, this.look, word);
      }
      case 'parked':
        return [parkedLine(entry.name, entry.call, this.look)];
      case 'ok':
      case 'failed':
      case 'timeout':
      case 'aborted':
      case 'interrupted': {
        const result = { content: entry.content, isError: entry.isError, meta: entry.meta };
        const card = resultCard(
          {
            tool: entry.name,
            call: view,
            result: this.views.result(entry.name, asked?.input ?? {}, result),
            status: entry.status,
            isError: entry.isError,
            exitCode: null,
            durationMs: entry.durationMs,
            task: taskOf(entry.meta),
            agent: null,
          },
          this.look,
          false,
        );
        return [...card.lines];
      }
    }
  }
}

const SHOWN: ReadonlySet<string> = new Set([
  'user_input',
  'assistant_message',
  'tool_use',
  'decision',
  'tool_result',
  'repair',
]);

// Plugins may write entries of any type, but never one of these names: the log refuses them.
function isBuiltIn(entry: SessionEntry): entry is BuiltInSessionEntry {
  return SHOWN.has(entry.type);
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
}
