import { TextBlock } from './text-block.js';

/** Any value of the API, to read: keys as they are, text as text. */
export function JsonBlock({ value, label }: { readonly value: unknown; readonly label: string }) {
  return <TextBlock text={jsonText(value)} label={label} />;
}

/** What JSON has no word for is shown as null, as everywhere. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value ?? null, null, 2);
}
