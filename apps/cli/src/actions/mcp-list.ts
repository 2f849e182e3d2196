import type { McpServerDetails, OfferedTool } from '@wrongstack/mcp';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { tableLines } from '../terminal/table.js';
import { withExtensions, withHost } from './with-host.js';

const COLUMNS = [
  { title: 'SERVER' },
  { title: 'STATE' },
  { title: 'TOOL' },
  { title: 'DEFINITION' },
  { title: '' },
];

/** Servers with their tools; JSON holds every text of a server whole. */
export function mcpList(_args: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(
    options,
    async ({ extensions }, output) => {
      const servers = extensions.mcp?.details() ?? [];
      if (output.json) output.writeJson(servers);
      else if (servers.length === 0)
        output.say('no MCP servers; they are named in the mcp section of the configuration');
      else output.print(tableLines(COLUMNS, servers.flatMap(rowsOf), output.look));
      return EXIT.done;
    },
    withExtensions,
  );
}

function rowsOf({ name, state, message = '', offered }: McpServerDetails): readonly (readonly string[])[] {
  return [
    [name, state, '', '', message],
    ...offered.map((tool) => [
      '',
      '',
      tool.tool,
      definitionText(tool),
      tool.refused ?? tool.changes.join('; '),
    ]),
  ];
}

function definitionText({ refused, pinned, changes }: OfferedTool): string {
  if (refused !== null) return 'not offered';
  if (pinned) return 'pinned';
  return changes.length > 0 ? 'changed' : 'new';
}
