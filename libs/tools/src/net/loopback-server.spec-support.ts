import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real HTTP server on loopback that remembers what reached it. For specs of this library only. */
export interface LoopbackServer {
  readonly port: number;
  readonly origin: string;
  /** Connections so far, also those without a request. */
  readonly connections: () => number;
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

export type Routes = Readonly<Record<string, RequestListener>>;

export async function startServer(routes: Routes): Promise<LoopbackServer> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    const route = routes[(request.url ?? '').split('?')[0] ?? ''];
    if (route === undefined) response.writeHead(404).end('no such page');
    else route(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function page(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(body);
  };
}

export function redirect(location: string, status = 302): RequestListener {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { location }).end('moved');
  };
}

/** For tests that mean their own servers. */
export const permitLoopback = (address: string): boolean => address === '127.0.0.1';
