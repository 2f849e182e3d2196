import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { escapeText } from '../terminal/escape-text.js';
import { sessionTable } from '../terminal/list-lines.js';
import { errorParts } from '../readable-error.js';
import { withHost } from './with-host.js';

const MOST_NAMED = 3;

export function sessionList(
  _args: readonly string[],
  options: CommonOptions & { readonly all?: boolean },
): Promise<number> {
  return withHost(options, async ({ sessions, request, clock }, output) => {
    const unreadable: string[] = [];
    const found = await sessions.list({
      ...(options.all !== true && { projectRoot: request.projectRoot }),
      onUnreadable: (problem) => unreadable.push(escapeText(errorParts(problem).message)),
    });
    for (const problem of unreadable.slice(0, MOST_NAMED)) output.note(`wstack: not listed: ${problem}`);
    if (unreadable.length > MOST_NAMED) {
      output.note(`wstack: not listed: ${unreadable.length - MOST_NAMED} more files that are no sessions`);
    }
    if (output.json) output.writeJson(found);
    else if (found.length === 0) output.say('no sessions yet');
    else output.print(sessionTable(found, clock.now(), output.look));
    return EXIT.done;
  });
}
