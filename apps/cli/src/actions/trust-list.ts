import type { Host } from '../app/host.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { subjectText } from '../terminal/sources.js';
import { tableLines } from '../terminal/table.js';
import { withHost } from './with-host.js';

const COLUMNS = [
  { title: 'ID' },
  { title: 'ANSWER' },
  { title: 'SUBJECT' },
  { title: 'UNTIL' },
  { title: 'BY' },
];

export function trustList(_args: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async ({ trust, request }, output) => {
    const store = trust.forProject(request.projectRoot);
    const view = await store.view();
    if (view.status === 'corrupt') {
      if (output.json) output.writeJson(view);
      else output.say(`${view.file}: ${view.reason}; no grant is in force, repair or remove the file`);
      return EXIT.failed;
    }
    if (output.json) output.writeJson(view.entries);
    else if (view.entries.length === 0) output.say('nothing is stored for this project');
    else {
      const rows = view.entries.map((entry) => [
        entry.id,
        entry.effect === 'allow' ? 'always' : 'never',
        subjectText(entry.tool, entry.subject, request.environment.home),
        entry.expiresAt ?? 'revoked',
        entry.grantedBy,
      ]);
      output.print(tableLines(COLUMNS, rows, output.look));
    }
    return EXIT.done;
  });
}

/** For the session: one line an answer. */
export async function trustSummary({ trust, request }: Host): Promise<string> {
  const view = await trust.forProject(request.projectRoot).view();
  if (view.status === 'corrupt') return `${view.file}: ${view.reason}; no grant is in force`;
  if (view.entries.length === 0) return 'nothing is stored for this project';
  return view.entries
    .map(({ id, effect, tool, subject, expiresAt }) => {
      const answer = effect === 'allow' ? 'always' : 'never';
      return `${id}  ${answer}  ${subjectText(tool, subject, request.environment.home)}  until ${expiresAt ?? 'revoked'}`;
    })
    .join('\n');
}
