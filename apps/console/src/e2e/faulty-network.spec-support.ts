import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to event streams on their way: they pass, nothing of them arrives, or they are refused. */
export type Weather = 'fine' | 'silent' | 'closed';

/** Between a browser and the API, as a proxy is: everything passes but, if so wanted, event streams. */
export class FaultyNetwork {
  weather: Weather = 'fine';
  /** How often a stream was opened. */
  streams = 0;
  #api: string | null = null;
  readonly #server = createServer((from, to) => this.#pass(from, to));

  private constructor() {}

  static async listen(): Promise<FaultyNetwork> {
    const network = new FaultyNetwork();
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    return network;
  }

  get url(): string {
    // An address of TCP, since it was told a port.
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  leadTo(api: string): void {
    this.#api = api;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(from: IncomingMessage, to: ServerResponse): void {
    const stream = from.headers.accept === 'text/event-stream';
    if (stream) this.streams += 1;
    if (stream && this.weather === 'closed') {
      to.writeHead(503).end();
      return;
    }
    const { method = 'GET', url = '/', headers } = from;
    const onwards = request(new URL(url, this.#api ?? ''), { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      to.flushHeaders();
      answer.on('data', (piece: Buffer) => {
        if (!stream || this.weather === 'fine') to.write(piece);
      });
      answer.on('end', () => to.end());
      answer.on('error', () => to.destroy());
    });
    onwards.on('error', () => to.destroy());
    to.on('close', () => onwards.destroy());
    from.pipe(onwards);
  }
}
