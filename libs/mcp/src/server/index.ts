export { createMcpServer, type McpServerOptions } from './create-mcp-server.js';
export { GovernedOffer } from './governed-offer.js';
export type { GovernedCall, GovernedSession } from './governed-session.js';
export { type Refusal, siteRefusal } from './http-guard.js';
export { McpHttpHandler, type McpHttpOptions, type McpIdentity } from './http-handler.js';
export type { McpCallLine, McpOffer, McpPeer } from './mcp-offer.js';
export { type Admission, type HttpService, serveHttp, type ServeHttpOptions } from './serve-http.js';
export { serveStdio, type StdioStreams } from './serve-stdio.js';
export { ConformanceOffer } from './testing/conformance-offer.js';
