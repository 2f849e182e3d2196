/** Throws unless a tool's result holds this number: a benchmark of work that was not done measures nothing. */
export function assertMeta(meta: unknown, field: string, expected: number): void {
  const found: unknown = typeof meta === 'object' && meta !== null ? Reflect.get(meta, field) : undefined;
  if (found !== expected) throw new Error(`bench: ${field} is ${String(found)}, not ${expected}.`);
}
