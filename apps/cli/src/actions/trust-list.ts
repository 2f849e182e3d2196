import type { Host } from '../app/host.js';
import type { TrustEntry } from '@wrongstack/policy';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { formatMoment } from '../terminal/format.js';
import { lineText, type Line } from '../terminal/lines.js';
import { subjectText } from '../terminal/sources.js';
import { tableLines } from '../terminal/table.js';
import type { Look } from '../terminal/theme.js';
import { withHost } from './with-host.js';

const COLUMNS = [
  { title: 'ID' },
  { title: 'ANSWER' },
  { title: 'UNTIL' },
  { title: 'BY' },
  { title: 'SUBJECT' },
];

function trustTable(entries: readonly TrustEntry[], look: Look): Line[] {
  const rows = entries.map((entry) => [
    entry.id,
    entry.effect === 'allow' ? 'always' : 'never',
    entry.expiresAt === null ? 'revoked' : formatMoment(Date.parse(entry.expiresAt)),
    entry.grantedBy,
    subjectText(entry.tool, entry.subject, look.home),
  ]);
  return tableLines(COLUMNS, rows, look);
}

export function trustList(_args: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async ({ trust, request }, output) => {
    const store = trust.forProject(request.projectRoot);
    const view = await store.view();
    if (view.status === 'corrupt') {
      if (output.json) output.writeJson(view);
      else output.say(`${view.reason}; no grant is in force, repair or remove the file`);
      return EXIT.failed;
    }
    if (output.json) output.writeJson(view.entries);
    else if (view.entries.length === 0) output.say('nothing is stored for this project');
    else {
      output.print(trustTable(view.entries, output.look));
    }
    return EXIT.done;
  });
}

/** For the session: one line an answer, and how to take one back. */
export async function trustSummary({ trust, request }: Host, look: Look): Promise<string> {
  const view = await trust.forProject(request.projectRoot).view();
  if (view.status === 'corrupt') return `${view.reason}; no grant is in force`;
  if (view.entries.length === 0) return 'nothing is stored for this project';
  const rows = trustTable(view.entries, look).map(lineText);
  return [...rows, 'wstack trust revoke <id> takes one back'].join('\n');
}
