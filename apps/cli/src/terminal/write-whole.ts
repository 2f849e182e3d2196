import type { Writable } from 'node:stream';

/** Resolves when there is room for more: a reader that is slower than we are must not fill our memory. Also where it is gone. */
export async function writeWhole(stream: Writable, text: string): Promise<void> {
  if (stream.write(text) || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      stream.off('drain', goOn).off('close', goOn);
      resolve();
    };
    stream.on('drain', goOn).on('close', goOn);
  });
}
