import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { sessionTable } from '../terminal/list-lines.js';
import { withHost } from './with-host.js';

export function sessionList(
  _args: readonly string[],
  options: CommonOptions & { readonly all?: boolean },
): Promise<number> {
  return withHost(options, async ({ sessions, request, clock }, output) => {
    const found = await sessions.list(options.all === true ? {} : { projectRoot: request.projectRoot });
    if (output.json) output.writeJson(found);
    else if (found.length === 0) output.say('no sessions yet');
    else output.print(sessionTable(found, clock.now(), output.look));
    return EXIT.done;
  });
}
