import { Conversation } from '@wrongstack/kernel';
import type { CommonOptions } from '../commands/common-options.js';
import { logState, readSession } from '../app/read-session.js';
import { EXIT } from '../exit-codes.js';
import { jsonLine } from '../terminal/headless/json-line.js';
import { openCallLines } from '../terminal/open-call-lines.js';
import { SessionReplay } from '../terminal/replay-lines.js';
import { viewsOfHost } from './run-output.js';
import { withHost } from './with-host.js';

/** What happened in a session, as it looked while it happened. */
export function sessionShow([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const views = viewsOfHost(host);
    const replay = new SessionReplay(views, output.look);
    const conversation = new Conversation();
    for await (const entry of readSession(host, id)) {
      conversation.apply(entry);
      if (output.json) process.stdout.write(jsonLine(entry));
      else output.print(replay.linesOf(entry));
    }
    if (!output.json && conversation.pending.length + conversation.repairs.length > 0)
      output.print(openCallLines(conversation, await logState(host, id), views, output.look));
    return EXIT.done;
  });
}
