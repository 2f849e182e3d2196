import type { ControlPorts, UsageHolder } from '@wrongstack/contracts/control';
import type { HolderUsage } from '@wrongstack/contracts/wire';

/** What somebody used up in the UTC day and the UTC month of `at`. */
export async function usageOf(
  { usage }: Pick<ControlPorts, 'usage'>,
  holder: UsageHolder,
  at: string,
): Promise<HolderUsage> {
  const today = at.slice(0, 10);
  const day = await usage.of(holder, today, today);
  const month = await usage.of(holder, firstOfMonth(today), today);
  return { name: holder.name, day, month };
}

export function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}
