// `npm run generate:tool -- <name> [--in <folder>] [--runner jest|vitest]`: a working tool with its spec, to be changed into
// what you need. It starts as one that counts the lines of a file, since that shows all that a tool has to get right:
// checked arguments, a path that is kept inside, the signal, claims, a result of each kind, and cards.
//
// Without --in it becomes a tool of libs/tools. In any other folder it is what an author outside of this repository
// writes: it imports @wrongstack/core alone, and its spec drives it through the real loop with a scripted model.
import { existsSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { authorSpec, authorTool } from './author-templates.mjs';
import { runGenerator, UsageError } from './generator.mjs';
import { ownSpec, ownTool } from './own-templates.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const NAME = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

await runGenerator({
  command: 'generate:tool',
  kind: 'tool',
  usage: 'usage: npm run generate:tool -- <name> [--in <folder>] [--runner jest|vitest]',
  style: await prettier.resolveConfig(path.join(root, 'package.json')),
  read(name, values) {
    if (!NAME.test(name) || name.length > 64) {
      throw new UsageError(`"${name}" is no tool name: use lower-case words with dashes, as in count-lines.`);
    }
    const folder = path.resolve(values.in ?? path.join(root, 'libs/tools/src', fileName(name)));
    return { name, folder, runner: values.runner };
  },
  async generate({ name, folder, runner }) {
    const library = libraryAbove(folder);
    const words = {
      name,
      file: fileName(name),
      constant: `${camelCase(name)}Tool`,
      runner,
      // From the tool's folder to the library's sources.
      up: library === undefined ? '' : upTo(folder, library),
    };
    const [tool, spec] = library === undefined ? [authorTool, authorSpec] : [ownTool, ownSpec];
    return [
      [path.join(folder, `${words.file}.tool.ts`), tool(words)],
      [path.join(folder, `${words.file}.tool.spec.ts`), spec(words)],
    ];
  },
  next: ({ name, folder }) => nextStep(name, folder),
});

/** The `src` folder that a tool of our own library is in, or undefined. */
function libraryAbove(folder) {
  for (let at = folder; path.dirname(at) !== at; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'authoring/define-tool.ts'))) return at;
  }
  return undefined;
}

function upTo(folder, library) {
  const relative = path.relative(folder, library).split(path.sep).join('/');
  return relative === '' ? '.' : relative;
}

function nextStep(name, folder) {
  return libraryAbove(folder) === undefined
    ? `next: register it in your plugin's setup: api.tools.register(${camelCase(name)}Tool)\n`
    : `next: make it yours, then add ${camelCase(name)}Tool to libs/tools/src/built-in-tools.ts\n`;
}

function fileName(name) {
  return name.replaceAll('_', '-');
}

function camelCase(name) {
  return fileName(name).replace(/-([a-z0-9])/g, (_dash, letter) => letter.toUpperCase());
}
