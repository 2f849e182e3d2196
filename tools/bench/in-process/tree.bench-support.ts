import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FOLDERS = 500;
const FILES = 100;

/** A tree of 50,000 small files, 200 of which hold the word. Removed when the process ends. */
export function makeTree(word: string): string {
  const root = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-tree-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  for (let folder = 0; folder < FOLDERS; folder++) {
    const place = path.join(root, `area-${folder % 20}`, `part-${folder}`);
    mkdirSync(place, { recursive: true });
    for (let file = 0; file < FILES; file++) {
      const hit = (folder * FILES + file) % 250 === 0 ? `const ${word} = 1;\n` : '';
      writeFileSync(
        path.join(place, `file-${file}.ts`),
        `export const value = ${file};\n${hit}export default value;\n`,
      );
    }
  }
  return root;
}
