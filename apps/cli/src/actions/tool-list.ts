import type { RegisteredTool } from '@wrongstack/contracts';
import { tightened } from '@wrongstack/kernel';
import type { Host } from '../app/host.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import type { Line } from '../terminal/lines.js';
import { tableLines } from '../terminal/table.js';
import type { Look } from '../terminal/theme.js';
import { withExtensions, withHost } from './with-host.js';

const COLUMNS = [
  { title: 'NAME' },
  { title: 'OWNER' },
  { title: 'PERMISSION' },
  { title: 'RISK' },
  { title: 'CHANGES' },
  { title: 'CAPABILITIES' },
];

/** Every tool by name, as the settings tighten it. */
export function toolsInForce({ kernel, config }: Host): readonly RegisteredTool[] {
  return [...kernel.tools.list()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((tool) => tightened(tool, config.current.tools));
}

export function toolTable(tools: readonly RegisteredTool[], look: Look): Line[] {
  const rows = tools.map((tool) => [
    tool.name,
    tool.owner,
    tool.permission,
    tool.riskPerCall === true ? 'per call' : (tool.riskTier ?? 'not declared'),
    tool.mutating ? 'yes' : 'no',
    (tool.capabilities ?? []).join(' ') || 'none declared',
  ]);
  return tableLines(COLUMNS, rows, look);
}

export function toolList(_args: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(
    options,
    async (host, output) => {
      const tools = toolsInForce(host);
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
      output.print(toolTable(tools, output.look));
      return EXIT.done;
    },
    withExtensions,
  );
}
