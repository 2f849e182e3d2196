import { WrongStackError } from '@wrongstack/contracts';

/** What can go wrong with an MCP server. Each code has one meaning. */
export type McpErrorCode =
  | 'mcp.invalid_config'
  | 'mcp.unknown_server'
  | 'mcp.server_exists'
  | 'mcp.not_running'
  | 'mcp.start_failed'
  | 'mcp.start_timeout'
  | 'mcp.login_needed'
  | 'mcp.login_failed'
  | 'mcp.call_failed'
  | 'mcp.call_timeout'
  | 'mcp.bad_answer'
  | 'mcp.flooded'
  | 'mcp.pins_corrupt'
  | 'mcp.closed';

export class McpError extends WrongStackError {
  override readonly name = 'McpError';
  readonly server: string;

  constructor(
    code: McpErrorCode,
    server: string,
    fault: string,
    options: { cause?: unknown; hint?: string } = {},
  ) {
    super(code, `MCP server ${server}: ${fault}`, options);
    this.server = server;
  }
}
