import type { BuiltInSessionEntry, ContentBlock, SessionEntry } from '@wrongstack/contracts';
import type { CommonOptions } from '../commands/common-options.js';
import { readSession } from '../app/read-session.js';
import { EXIT } from '../exit-codes.js';
import { escapeForPipe } from '../terminal/escape-text.js';
import { jsonLine } from '../terminal/headless/json-line.js';
import { withHost } from './with-host.js';

export function sessionExport(
  [id = '']: readonly string[],
  options: CommonOptions & { readonly format: 'jsonl' | 'markdown' },
): Promise<number> {
  return withHost(options, async (host) => {
    for await (const entry of readSession(host, id)) {
      process.stdout.write(options.format === 'jsonl' ? jsonLine(entry) : escapeForPipe(markdownOf(entry)));
    }
    return EXIT.done;
  });
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
