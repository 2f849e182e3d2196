import { valueAt } from '../app/config-value.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { escapeJson } from '../terminal/headless/json-line.js';
import { withHost } from './with-host.js';

export function configGet([key]: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async ({ config, ignoredConfig }, output) => {
    const value = key === undefined ? config.current : valueAt(config.current, key);
    if (!output.json && typeof value === 'string') output.say(value);
    else process.stdout.write(`${escapeJson(JSON.stringify(value, null, 2))}\n`);
    if (key === undefined && ignoredConfig.length > 0) {
      output.note(`ignored from this repository's configuration: ${ignoredConfig.join(', ')}`);
    }
    return EXIT.done;
  });
}
