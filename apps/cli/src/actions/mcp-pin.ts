import { McpError } from '@wrongstack/mcp';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { withExtensions, withHost } from './with-host.js';

/** Accept the definitions of one server's tools as they are now. */
export function mcpPin([server = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(
    options,
    async ({ extensions }, output) => {
      const { mcp } = extensions;
      if (mcp === null) throw new McpError('mcp.unknown_server', server, 'nobody configured it');
      const pinned = await mcp.pin(server);
      if (output.json) output.writeJson({ server, pinned });
      else output.say(`${server}: ${String(pinned)} tool definitions accepted`);
      return EXIT.done;
    },
    withExtensions,
  );
}
