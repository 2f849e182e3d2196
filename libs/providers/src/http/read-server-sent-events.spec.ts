import { readServerSentEvents } from './read-server-sent-events.js';

async function read(...chunks: (string | Uint8Array)[]) {
  async function* bytes() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
  const events: string[] = [];
  for await (const { event, data } of readServerSentEvents(bytes())) events.push(`${event}|${data}`);
  return events;
}

describe('server-sent events', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
  ])('ends lines with %s', async (_name, text) => {
    expect(await read(text)).toEqual(['message|a', 'message|b']);
    expect(await read(...Array.from(text))).toEqual(['message|a', 'message|b']);
  });

  it('joins data lines, takes one blank off, and keeps colons', async () => {
    expect(await read('data: a: 1\ndata:b\ndata:  c\ndata\n\n')).toEqual(['message|a: 1\nb\n c\n']);
  });

  it('skips comments, unknown fields, ids and events without data', async () => {
    expect(await read(': hi\nid: 1\nretry: 5\nfoo: x\nevent: gone\n\nevent: e\ndata: 1\n\n')).toEqual([
      'e|1',
    ]);
  });

  it('drops an event that its blank line never closed', async () => {
    expect(await read('data: a\n\ndata: b\n')).toEqual(['message|a']);
  });

  it('takes the byte order mark off, and puts characters together across chunks', async () => {
    const bytes = Buffer.from('\ufeffdata: 👩‍💻ü\n\n');
    expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(['message|👩‍💻ü']);
  });

  it('replaces bytes that are no UTF-8', async () => {
    expect(
      await read(Buffer.concat([Buffer.from('data: '), Uint8Array.of(0xff), Buffer.from('\n\n')])),
    ).toEqual(['message|\ufffd']);
  });
});
