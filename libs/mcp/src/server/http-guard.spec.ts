import type { IncomingMessage } from 'node:http';
import { refusalOf } from './http-guard.js';

// Only the headers are looked at.
const request = (headers: IncomingMessage['headers']) => ({ headers }) as IncomingMessage;
const status = (headers: IncomingMessage['headers'], token: string | null = null) =>
  refusalOf(request(headers), token)?.status ?? 200;

describe('who may talk to a server on loopback', () => {
  it.each(['localhost', 'localhost:7331', '127.0.0.1:80', '[::1]:7331'])('Host %s', (host) => {
    expect(status({ host })).toBe(200);
  });

  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'localhost@evil.example',
    '0.0.0.0',
  ])('not Host %s', (host) => {
    expect(status(host === undefined ? {} : { host })).toBe(403);
  });

  it.each(['https://evil.example', 'null', 'file://', 'http://localhost.evil.example'])(
    'not Origin %s',
    (origin) => {
      expect(status({ host: 'localhost', origin })).toBe(403);
    },
  );

  it('an Origin of this machine, whatever its port', () => {
    expect(status({ host: 'localhost:1', origin: 'http://127.0.0.1:5173' })).toBe(200);
  });

  it.each([undefined, 'Bearer', 'Bearer wrong', 'Basic secret', 'secret'])(
    'not with authorization %s',
    (authorization) => {
      const headers = { host: 'localhost', ...(authorization === undefined ? {} : { authorization }) };
      expect(status(headers, 'secret')).toBe(401);
    },
  );

  it('with the bearer that was handed out', () => {
    expect(status({ host: 'localhost', authorization: 'bearer secret' }, 'secret')).toBe(200);
  });
});
