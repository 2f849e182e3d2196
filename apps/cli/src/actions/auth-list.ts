import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { formatMoment } from '../terminal/format.js';
import { tableLines } from '../terminal/table.js';
import { withHost } from './with-host.js';

const COLUMNS = [{ title: 'NAME' }, { title: 'STORED' }];

export function authList(_args: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async ({ vault }, output) => {
    const stored = await vault.list();
    const rows = stored.map(({ name, updatedAt }) => [name, formatMoment(Date.parse(updatedAt))]);
    if (output.json) output.writeJson(stored);
    else if (rows.length === 0) output.say('no stored credentials · wstack auth set anthropic');
    else output.print(tableLines(COLUMNS, rows, output.look));
    return EXIT.done;
  });
}
