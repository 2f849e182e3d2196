/** Characters as JSON Schema counts them: code points, not UTF-16 units. */
export function textLength(text: string): number {
  return Array.from(text).length;
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):?(\d\d))$/;

/** RFC 3339, and a day that exists. */
export function isDateTime(text: string): boolean {
  const found = DATE_TIME.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = found
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  // Day 0 of the next month is the last one of this month.
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const clock = hour < 24 && minute < 60 && second < 60 && zoneHour < 24 && zoneMinute < 60;
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay && clock && !Number.isNaN(Date.parse(text));
}

/** Into the first list, which nobody else holds by then. */
export function joinedErrors<Item>(errors: Item[] | null, more: Item[]): Item[] {
  if (errors === null) return more;
  // One by one: as arguments, so many would overflow the stack.
  for (const error of more) errors.push(error);
  return errors;
}
