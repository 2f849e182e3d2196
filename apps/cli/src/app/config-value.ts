import type { Config } from '@wrongstack/contracts';
import { usageError } from '../report-error.js';

/** What is in force under a key such as `provider.model`. Throws `usage.invalid` for one that is not there. */
export function valueAt(config: Config, key: string): unknown {
  let value: unknown = config;
  for (const part of key.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) {
      throw usageError(`nothing is configured under ${key}`, 'wstack config get');
    }
    value = Reflect.get(value, part);
  }
  return value;
}

/** JSON where it is JSON, text where it is not: `3`, `true`, `"3"`, claude-sonnet-4-5. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
