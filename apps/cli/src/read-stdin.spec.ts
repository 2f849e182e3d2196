import { Readable } from 'node:stream';
import { readStdin } from './read-stdin.js';

describe('standard input', () => {
  it('is one text, characters that were cut in two included', async () => {
    const bytes = Buffer.from('größe 👩‍💻');
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(await readStdin(Readable.from(pieces))).toBe('größe 👩‍💻');
    expect(await readStdin(Readable.from([]))).toBe('');
  });

  it('is given up when it does not end, and closed', async () => {
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(++sent && 1024 * 1024, 'y');
      })(),
    );
    await expect(readStdin(endless, 2 * 1024 * 1024)).rejects.toMatchObject({
      code: 'usage.invalid',
      message: 'standard input is longer than 2 MiB',
    });
    expect(endless.destroyed).toBe(true);
    expect(sent).toBeLessThan(30);
  });
});
