import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MOST_BYTES = 5 * 1024 * 1024;

/**
 * Appends lines to a private file; the folder is made with the first line, and a full file becomes `<name>.1`. Logging
 * never fails what it reports on: a disk that is full or read-only loses lines, not work.
 */
export function fileLog(file: string): (line: string) => void {
  let ready = false;
  return (line) => {
    try {
      if (!ready) {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        rotate(file);
        ready = true;
      }
      appendFileSync(file, line, { mode: 0o600 });
    } catch {
      // See above.
    }
  };
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MOST_BYTES) renameSync(file, `${file}.1`);
}
