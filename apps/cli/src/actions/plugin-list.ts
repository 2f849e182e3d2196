import type { PluginReport } from '@wrongstack/plugins';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { tableLines } from '../terminal/table.js';
import { troublesOf } from './plugin-report.js';
import { withExtensions, withHost } from './with-host.js';

const COLUMNS = [
  { title: 'NAME' },
  { title: 'VERSION' },
  { title: 'STATE' },
  { title: 'FROM' },
  { title: 'DECLARED' },
  { title: 'USED' },
  { title: 'WHAT IS WRONG' },
];

/** Every plugin, those that failed or were refused included. */
export function pluginList(_args: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(
    options,
    async ({ extensions }, output) => {
      const reports = extensions.plugins?.list() ?? [];
      if (output.json) output.writeJson(reports);
      else if (reports.length === 0) output.say('no plugins');
      else output.print(tableLines(COLUMNS, reports.map(rowOf), output.look));
      return EXIT.done;
    },
    withExtensions,
  );
}

function rowOf(one: PluginReport): readonly string[] {
  const undeclared = one.used.filter((surface) => !one.declared.includes(surface));
  return [
    one.name,
    one.version ?? '',
    one.state,
    one.place ?? '',
    one.declared.join(' '),
    one.used.map((surface) => (undeclared.includes(surface) ? `${surface} (undeclared)` : surface)).join(' '),
    troublesOf(one).join('; '),
  ];
}
