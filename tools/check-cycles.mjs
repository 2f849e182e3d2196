// `node tools/check-cycles.mjs [folder…]`: fails when files import one another in a circle at run time.
// Imports of types vanish in the build and may form circles; that is why each file is transformed before it is read.
import { parseCircular, parseDependencyTree } from 'dpdm';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const sourceFolders = ['libs', 'apps'].flatMap((group) =>
  readdirSync(path.join(root, group)).map((project) => path.join(root, group, project, 'src')),
);
const given = process.argv.slice(2).map((folder) => path.resolve(folder));
const folders = (given.length > 0 ? given : sourceFolders).filter((folder) => existsSync(folder));

const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    // The order of a disk is none: a circle is always told from the same file on.
    .sort()
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:spec(?:-support)?|d)\.ts$/.test(file))
    .map((file) => path.join(folder, file)),
);
if (files.length === 0) {
  process.stderr.write(
    `check-cycles: no source files in ${folders.join(', ')}: name a folder that has some.\n`,
  );
  process.exit(2);
}

const tree = await parseDependencyTree(files, {
  context: root,
  transform: true,
  extensions: ['.ts', '.tsx', '.js'],
  tsconfig: path.join(root, 'tsconfig.base.json'),
});
// An import that was not followed would hide the circles behind it.
const lost = Object.values(tree)
  .flatMap((imports) => imports ?? [])
  .filter(({ id, request }) => id === null && request.startsWith('.'));
for (const { issuer, request } of lost) process.stderr.write(`unresolved import: ${issuer}: ${request}\n`);
const circles = parseCircular(tree);
for (const circle of circles) {
  process.stderr.write(`circular import: ${[...circle, circle[0]].join(' -> ')}\n`);
}
const clean = circles.length === 0 && lost.length === 0;
if (clean) process.stdout.write(`check-cycles: no circular imports in ${files.length} files\n`);
process.exitCode = clean ? 0 : 1;
