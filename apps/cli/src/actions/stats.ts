import { codeOf, type SessionStore } from '@wrongstack/contracts';
import { budgetLines, budgetReport } from '../budgets/budget-lines.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { StatsCollector } from '../stats/session-stats.js';
import { EMPTY_LINE } from '../terminal/lines.js';
import { statsLines } from '../terminal/stats-lines.js';
import { withHost } from './with-host.js';

export interface StatsOptions extends CommonOptions {
  readonly all?: boolean;
  readonly days: number;
}

const DAY_MS = 86_400_000;

/** What one's own sessions did and used. Read from their logs; the server is asked only where a policy limits what people and teams use up. */
export function stats(_args: readonly string[], options: StatsOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const { sessions, subagentSessions, request, clock, config } = host;
    const now = clock.now();
    // Whole days, so that the first one in the chart is not cut.
    const first = new Date(now - (options.days - 1) * DAY_MS).toISOString().slice(0, 10);
    const collector = new StatsCollector(config.current.prices);
    const filter = options.all === true ? {} : { projectRoot: request.projectRoot };
    const read = async (store: SessionStore, isSubagent: boolean): Promise<void> => {
      for (const { id, updatedAt } of await store.list(filter)) {
        if (updatedAt < first) continue;
        try {
          await collector.add(store.read(id), first, isSubagent);
        } catch (error) {
          // One that was just removed, or cannot be read: said, and the others are counted.
          output.say(`session ${id} is not counted: ${codeOf(error)}`);
        }
      }
    };
    await read(sessions, false);
    await read(subagentSessions, true);
    const found = collector.stats(now, options.days);
    const budgets = await budgetReport(host);
    if (output.json) {
      output.writeJson({ ...found, budgets: budgets.limits });
      if (budgets.trouble !== null) output.say(budgets.trouble);
      return EXIT.done;
    }
    if (found.runs === 0) output.say(`nothing was run in ${options.days} days`);
    else output.print(statsLines(found, output.look));
    const rows = budgetLines(budgets, output.look);
    if (rows.length > 0) output.print([...(found.runs === 0 ? [] : [EMPTY_LINE]), ...rows]);
    return EXIT.done;
  });
}
