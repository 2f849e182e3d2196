import { codeOf, messageOf, newId } from '@wrongstack/contracts';
import { type SharedLimit, WARN_SHARE } from '@wrongstack/kernel';
import type { Host } from '../app/host.js';
import { formatCost, formatCount, formatTokens } from '../terminal/format.js';
import { line, type Line, type Tone } from '../terminal/lines.js';
import { tableLines } from '../terminal/table.js';
import type { Look } from '../terminal/theme.js';
import { allowance } from './allowance.js';

/** What of the limits that policies set to people and teams is used up now. */
export interface BudgetReport {
  /** Null where it is not known: runs do not begin then. */
  readonly limits: readonly SharedLimit[] | null;
  readonly trouble: string | null;
}

export async function budgetReport(host: Host): Promise<BudgetReport> {
  try {
    const { shared = [] } = await allowance(host, { tokens: 0, costUsd: 0, toolCalls: 0 }, newId('RunId'));
    return { limits: shared, trouble: null };
  } catch (error) {
    if (codeOf(error) !== 'budget.unknown') throw error;
    return { limits: null, trouble: messageOf(error) };
  }
}

/** A row a limit; none where policies set none. */
export function budgetLines({ limits, trouble }: BudgetReport, look: Look): Line[] {
  if (limits === null) return [line(`budgets: ${trouble ?? 'not known'}`)];
  if (limits.length === 0) return [];
  const right = { align: 'right' } as const;
  return tableLines(
    [
      { title: 'USED', ...right },
      { title: 'OF', ...right },
      { title: 'SHARE', ...right },
      { title: 'PER' },
      { title: 'BUDGET' },
    ],
    limits.map(({ scope, name, per, limit, most, used }) => [
      amountText(limit, used),
      amountText(limit, most),
      { text: `${Math.floor((used / most) * 100)} %`, tone: toneOf(used / most) },
      per,
      `${limit === 'tool_calls' ? 'tool calls' : limit} of ${scope} ${name}`,
    ]),
    look,
  );
}

function amountText(limit: SharedLimit['limit'], amount: number): string {
  if (limit === 'cost') return formatCost(amount);
  return limit === 'tokens' ? formatTokens(amount) : formatCount(amount);
}

function toneOf(share: number): Tone {
  if (share >= 1) return 'denied';
  return share >= WARN_SHARE ? 'asks' : 'text';
}
