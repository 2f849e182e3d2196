import type { BuiltInSessionEntry, ContentBlock, SessionEntry } from '@wrongstack/contracts';
import { Conversation, type PendingCall } from '@wrongstack/kernel';
import type { CommonOptions } from '../commands/common-options.js';
import { logState, readSession } from '../app/read-session.js';
import { EXIT } from '../exit-codes.js';
import { escapeForPipe } from '../terminal/escape-text.js';
import { jsonLine } from '../terminal/headless/json-line.js';
import { messages } from '../terminal/messages.js';
import type { LogState } from '../terminal/open-call-lines.js';
import { withHost } from './with-host.js';

export function sessionExport(
  [id = '']: readonly string[],
  options: CommonOptions & { readonly format: 'jsonl' | 'markdown' },
): Promise<number> {
  return withHost(options, async (host) => {
    const conversation = new Conversation();
    for await (const entry of readSession(host, id)) {
      conversation.apply(entry);
      process.stdout.write(options.format === 'jsonl' ? jsonLine(entry) : escapeForPipe(markdownOf(entry)));
    }
    if (options.format === 'markdown' && conversation.pending.length > 0) {
      const state = await logState(host, id);
      process.stdout.write(escapeForPipe(conversation.pending.map((call) => openCall(call, state)).join('')));
    }
    return EXIT.done;
  });
}

/** The calls stand above; here is what became of those without a result. */
function openCall({ use, started }: PendingCall, state: LogState): string {
  const { underWay, interrupted, unknown, notRun, decidedLater } = messages.openCall;
  const left = started ? `${interrupted}: ${unknown}` : `${notRun}: ${decidedLater}`;
  return `**${use.name}** (${use.id}) ${state === 'open elsewhere' ? underWay : left}\n\n`;
}

function markdownOf(entry: SessionEntry): string {
  // Custom entries have other types; after the comparison the built-in shape holds.
  const known = entry as BuiltInSessionEntry;
  switch (known.type) {
    case 'session_start':
      return `# Session ${known.session}\n\n${known.ts} · ${known.projectRoot} · ${known.model}\n\n`;
    case 'user_input':
      return `## You\n\n${textOf(known.content)}\n\n`;
    case 'assistant_message': {
      const said = known.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
      return said.trim() === '' ? '' : `## Agent\n\n${said}\n\n`;
    }
    case 'tool_use':
      return `**${known.name}** ${fenced(JSON.stringify(known.input, null, 2), 'json')}`;
    case 'tool_result':
      return `${known.status}${fenced(textOf(known.content), '')}`;
    default:
      return '';
  }
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.mediaType}]`)).join('\n');
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${language}\n${text}\n${fence}\n\n`;
}
