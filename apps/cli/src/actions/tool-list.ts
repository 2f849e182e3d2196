import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { tableLines } from '../terminal/table.js';
import { withExtensions, withHost } from './with-host.js';

const COLUMNS = [
  { title: 'NAME' },
  { title: 'OWNER' },
  { title: 'PERMISSION' },
  { title: 'RISK' },
  { title: 'CHANGES' },
  { title: 'CAPABILITIES' },
];

export function toolList(_args: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(
    options,
    async ({ kernel }, output) => {
      const tools = [...kernel.tools.list()].sort((a, b) => (a.name < b.name ? -1 : 1));
      if (output.json) {
        output.writeJson(
          tools.map(
            ({
              name,
              owner,
              description,
              category,
              permission,
              riskTier,
              riskPerCall,
              mutating,
              capabilities,
            }) => ({
              name,
              owner,
              description,
              category: category ?? null,
              permission: (permission as string | undefined) ?? null,
              riskTier: riskTier ?? null,
              riskPerCall: riskPerCall === true,
              mutating,
              capabilities: capabilities ?? [],
            }),
          ),
        );
        return EXIT.done;
      }
      const rows = tools.map((tool) => [
        tool.name,
        tool.owner,
        tool.permission,
        tool.riskPerCall === true ? 'per call' : (tool.riskTier ?? 'not declared'),
        tool.mutating ? 'yes' : 'no',
        (tool.capabilities ?? []).join(' ') || 'none declared',
      ]);
      output.print(tableLines(COLUMNS, rows, output.look));
      return EXIT.done;
    },
    withExtensions,
  );
}
