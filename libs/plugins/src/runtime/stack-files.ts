const FRAME = /\(?((?:file:\/\/)?\/[^()]*):\d+:\d+\)?$/;

/** The files of an error's stack, the nearest first, without what belongs to Node; none where it has no stack that can be read. */
export function filesIn(thrown: unknown): readonly string[] {
  try {
    if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return [];
    return thrown.stack
      .split('\n')
      .filter((row) => /^\s+at /.test(row) && !row.includes('node:'))
      .flatMap((row) => FRAME.exec(row)?.[1] ?? []);
  } catch {
    return [];
  }
}

export function isBelow(file: string, root: string): boolean {
  return file.startsWith(`${root}/`) || file.startsWith(`file://${root}/`);
}
