import type { IncomingHttpHeaders } from 'node:http';
import { bearerIn, sameText, siteRefusal } from './http-guard.js';

const status = (headers: IncomingHttpHeaders, ...others: string[]) =>
  siteRefusal(headers, others)?.status ?? 200;

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

  it('and the names that the server itself is reached by, and no part of them', () => {
    const headers = { host: 'tools.corp.example', origin: 'https://tools.corp.example' };
    expect(status(headers, 'tools.corp.example')).toBe(200);
    expect(status(headers, 'corp.example')).toBe(403);
    expect(status({ host: 'tools.corp.example.evil.example' }, 'tools.corp.example')).toBe(403);
  });
});

describe('a bearer', () => {
  it.each([
    [undefined, ''],
    ['Bearer', ''],
    ['Basic secret', ''],
    ['secret', ''],
    ['bearer secret', 'secret'],
  ])('in authorization %s is "%s"', (authorization, token) => {
    expect(bearerIn(authorization === undefined ? {} : { authorization })).toBe(token);
  });

  it('is the one that was handed out or is not', () => {
    expect(['secret', 'secre', '', 'Secret'].map((text) => sameText(text, 'secret'))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
