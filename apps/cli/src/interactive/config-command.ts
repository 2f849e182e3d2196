import { refuseUnknownNames } from '../app/configured-names.js';
import { valueAt, valueOf } from '../app/config-value.js';
import type { Host } from '../app/host.js';
import { updateUserConfig } from '../app/user-config.js';

/** `/config`, `/config <key>`, and `/config <key> <value>`, which counts from now on, here and in later sessions. */
export async function configCommand(host: Host, [key, ...words]: readonly string[]): Promise<string> {
  if (key === undefined || words.length === 0) return configText(host, key);
  const keys = key.split('.');
  const value = valueOf(words.join(' '));
  refuseUnknownNames(host, keys, value);
  const file = host.request.paths.userConfig;
  await updateUserConfig(file, keys, value);
  host.config.update(
    keys.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>,
  );
  return `${key} = ${JSON.stringify(value)} · ${file}`;
}

function configText({ config, ignoredConfig }: Host, key: string | undefined): string {
  const ignored = ignoredConfig.map((name) => `ignored from this repository: ${name}`);
  const value = key === undefined ? config.current : valueAt(config.current, key);
  return [JSON.stringify(value, null, 2), ...ignored].join('\n');
}
