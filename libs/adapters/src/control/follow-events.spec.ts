import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followEvents, type ServerEvent } from './follow-events.js';
import type { StoredIdentity } from './identity-file.js';

const PIECES = [
  'event: a\nid: 1\ndata: {"n":1}\n\n: still there\n\nevent: b\nid: 2\ndata: {"text"',
  ':"é"}\n\n',
];

describe('events that are followed', () => {
  let server: Server;
  let asked: (string | undefined)[];
  let refuse: number;
  beforeEach(async () => {
    [asked, refuse] = [[], 0];
    server = createServer((request, response) => {
      const last = request.headers['last-event-id'];
      asked.push(typeof last === 'string' ? last : undefined);
      if (refuse > 0) {
        response.writeHead(refuse, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify({ code: 'run.unknown', detail: 'there is no such run' }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (asked.length === 1) {
        response.write(PIECES[0]);
        setTimeout(() => response.destroy(), 30);
      } else if (asked.length === 2) response.destroy();
      else if (asked.length === 3) response.end(PIECES.join('').replace(/^event: a[^]*?\n\n/, ''));
      else response.end('event: end\nid: 3\ndata: {}\n\nevent: after\ndata: {}\n\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => void server.close());

  const follow = async (signal = new AbortController().signal): Promise<ServerEvent[]> => {
    const { port } = server.address() as AddressInfo;
    const signedIn = async () =>
      ({ server: `http://127.0.0.1:${port}`, accessToken: 'wsa_x' }) as StoredIdentity;
    const events: ServerEvent[] = [];
    for await (const event of followEvents({ signedIn }, 'runs/r-1/events', 'end', signal, 5))
      events.push(event);
    return events;
  };

  it('are each told once, in order, however often the connection breaks, until the end', async () => {
    expect(await follow()).toEqual([
      { name: 'a', id: '1', data: { n: 1 } },
      { name: 'b', id: '2', data: { text: 'é' } },
      { name: 'end', id: '3', data: {} },
    ]);
    expect(asked).toEqual([undefined, '1', '1', '2']);
  });

  it('end with what the server refuses, and with whoever followed', async () => {
    refuse = 404;
    await expect(follow()).rejects.toMatchObject({ code: 'run.unknown', status: 404 });
    const stop = new AbortController();
    refuse = 503;
    setTimeout(() => stop.abort(new Error('enough')), 60);
    await expect(follow(stop.signal)).rejects.toThrow('enough');
    expect(asked.length).toBeGreaterThan(2);
  });
});
