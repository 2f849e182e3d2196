import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ErrorCode,
  McpError,
  type PingRequestSchema,
  RequestSchema,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { ProtocolServer } from './create-mcp-server.js';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What is used of one of the library's schemas for requests. */
interface MethodSchema<Request> {
  readonly shape: { readonly method: { readonly value: string } };
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Request }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Answers a method. Parameters that do not fit are the client's fault, which the library alone would call an internal error. */
export function answer<Request>(
  server: ProtocolServer,
  schema: MethodSchema<Request>,
  handler: (request: Request, extra: Extra) => ServerResult | Promise<ServerResult>,
): void {
  // Every method's schema is a literal of the library's own; which one does not matter to a type.
  const method = schema.shape.method as (typeof PingRequestSchema)['shape']['method'];
  const anyParams = RequestSchema.extend({ method });
  server.setRequestHandler(anyParams, (request, extra) => {
    const parsed = schema.safeParse(request);
    if (parsed.success) return handler(parsed.data, extra);
    const [issue] = parsed.error.issues;
    const field =
      issue === undefined || issue.path.length === 0 ? 'params' : issue.path.map(String).join('.');
    throw new McpError(ErrorCode.InvalidParams, `${field}: ${issue?.message ?? 'does not fit'}`);
  });
}
