import type { CommonOptions } from '../commands/common-options.js';
import { readSession } from '../app/read-session.js';
import { EXIT } from '../exit-codes.js';
import { jsonLine } from '../terminal/headless/json-line.js';
import { SessionReplay } from '../terminal/replay-lines.js';
import { viewsOfHost } from './run-output.js';
import { withHost } from './with-host.js';

/** What happened in a session, as it looked while it happened. */
export function sessionShow([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const replay = new SessionReplay(viewsOfHost(host), output.look);
    for await (const entry of readSession(host, id)) {
      if (output.json) process.stdout.write(jsonLine(entry));
      else output.print(replay.linesOf(entry));
    }
    return EXIT.done;
  });
}
