import type { BuiltInSessionEntry, SessionEntry } from '@wrongstack/contracts';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { line, type Line, span, type Tone } from '../terminal/lines.js';
import { jsonLine } from '../terminal/headless/json-line.js';
import { withHost } from './with-host.js';

/** What happened in a session, a line or a few each. */
export function sessionShow([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async ({ sessions }, output) => {
    for await (const entry of sessions.read(id)) {
      if (output.json) process.stdout.write(jsonLine(entry));
      else output.print(linesOf(entry));
    }
    return EXIT.done;
  });
}

const STATUS_TONES: Readonly<Record<string, Tone>> = { ok: 'ok', denied: 'denied', parked: 'asks' };

function linesOf(entry: SessionEntry): readonly Line[] {
  // Custom entries have other types; after the comparison the built-in shape holds.
  const known = entry as BuiltInSessionEntry;
  switch (known.type) {
    case 'session_start':
      return [line(span(known.session, 'strong'), ` ${known.ts} ${known.projectRoot} ${known.model}`)];
    case 'user_input':
      return [line(), ...textLines(known.content, '> ')];
    case 'assistant_message':
      return textLines(known.content, '  ');
    case 'tool_use':
      return [line(`  ${known.name} `, span(firstLine(JSON.stringify(known.input)), 'meta'))];
    case 'decision':
      return known.verdict === 'allow' ? [] : [line(span(`  ${known.verdict}: ${known.because}`, 'asks'))];
    case 'tool_result':
      return [
        line(
          span(`  ${known.status} ${known.name}`, STATUS_TONES[known.status] ?? 'failed'),
          ` ${String(Math.round(known.durationMs))} ms`,
        ),
      ];
    case 'compaction':
      return [line(span('  older turns were summarised', 'meta'))];
    case 'repair':
      return [line(span(`  repaired: ${known.what}`, 'asks'))];
    case 'run_end':
      return [line(span(`  run ended: ${known.status}`, 'meta'))];
    default:
      return [];
  }
}

function textLines(
  content: readonly { readonly type: string; readonly text?: string }[],
  indent: string,
): readonly Line[] {
  return content
    .filter((block) => block.type === 'text')
    .flatMap((block) => (block.text ?? '').split('\n').map((row) => line(indent + row)));
}

function firstLine(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
