/** Looking into values whose shape nobody here vouches for: entries of clients, perhaps of another version. */
export type Json = Readonly<Record<string, unknown>>;

export function objectIn(value: unknown): Json {
  // An object's members are unknown until they are looked at.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
