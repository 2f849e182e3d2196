/** `t-` and so many more. The start of an id is enough wherever a person names a task. */
const SHOWN = 4;

/** The start of a task's id, long enough to tell it from the others. Readers that are programs get the whole id. */
export function shortTaskId(id: string, others: readonly string[] = []): string {
  const prefix = id.indexOf('-') + 1;
  let length = prefix + SHOWN;
  const isShared = (start: string): boolean =>
    others.some((other) => other !== id && other.startsWith(start));
  while (length < id.length && isShared(id.slice(0, length))) length += 1;
  return id.slice(0, length);
}

/** The executor says in `meta` which task a call became. */
export function taskOf(meta: unknown): string | null {
  if (typeof meta !== 'object' || meta === null || !('task' in meta) || !('state' in meta)) return null;
  const goesOn = meta.state === 'queued' || meta.state === 'running';
  return goesOn && typeof meta.task === 'string' ? meta.task : null;
}
