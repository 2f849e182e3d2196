import { PassThrough } from 'node:stream';
import { writeWhole } from './write-whole.js';

describe('text for a reader that may be slow', () => {
  const state = async (work: Promise<void>): Promise<string> => {
    const turns = new Promise((resolve) => setTimeout(resolve, 20)).then(() => 'waits');
    return Promise.race([work.then(() => 'written'), turns]);
  };

  it('is written at once while there is room, and waits for the reader when there is none', async () => {
    const pipe = new PassThrough({ highWaterMark: 10 });
    expect(await state(writeWhole(pipe, 'abc'))).toBe('written');
    const more = writeWhole(pipe, 'x'.repeat(100));
    expect(await state(more)).toBe('waits');
    pipe.resume();
    expect(await state(more)).toBe('written');
    expect([pipe.listenerCount('drain'), pipe.listenerCount('close')]).toEqual([0, 0]);
  });

  it('waits for nobody who is gone', async () => {
    const pipe = new PassThrough({ highWaterMark: 10 });
    const more = writeWhole(pipe, 'x'.repeat(100));
    pipe.destroy();
    expect(await state(more)).toBe('written');
  });
});
