// `npm run generate:tool -- <name> [--in <folder>] [--runner jest|vitest]`: a working tool with its spec, to be changed into
// what you need. It starts as one that counts the lines of a file, since that shows all that a tool has to get right:
// checked arguments, a path that is kept inside, the signal, claims, a result of each kind, and cards.
//
// Without --in it becomes a tool of libs/tools. In any other folder it is what an author outside of this repository
// writes: it imports @wrongstack/core alone, and its spec drives it through the real loop with a scripted model.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { authorSpec, authorTool } from './author-templates.mjs';
import { ownSpec, ownTool } from './own-templates.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const USAGE = 'usage: npm run generate:tool -- <name> [--in <folder>] [--runner jest|vitest]';
const NAME = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

class UsageError extends Error {}

try {
  const { name, folder, runner } = readArguments(process.argv.slice(2));
  for (const file of await generate(name, folder, runner)) {
    process.stdout.write(`created ${path.relative(process.cwd(), file)}\n`);
  }
  process.stdout.write(nextStep(name, folder));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`generate:tool: ${error.message}\n${USAGE}\n`);
  process.exitCode = 2;
}

function readArguments(args) {
  const { values, positionals } = parsed(args);
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError('name one tool.');
  if (!NAME.test(name) || name.length > 64) {
    throw new UsageError(`"${name}" is no tool name: use lower-case words with dashes, as in count-lines.`);
  }
  if (!['jest', 'vitest'].includes(values.runner))
    throw new UsageError(`"${values.runner}" is no test runner that this knows.`);
  const folder = path.resolve(values.in ?? path.join(root, 'libs/tools/src', fileName(name)));
  return { name, folder, runner: values.runner };
}

function parsed(args) {
  try {
    const options = { in: { type: 'string' }, runner: { type: 'string', default: 'jest' } };
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

async function generate(name, folder, runner) {
  const library = libraryAbove(folder);
  const words = {
    name,
    file: fileName(name),
    constant: `${camelCase(name)}Tool`,
    runner,
    // From the tool's folder to the library's sources.
    up: library === undefined ? '' : upTo(folder, library),
  };
  const texts =
    library === undefined
      ? { tool: authorTool(words), spec: authorSpec(words) }
      : { tool: ownTool(words), spec: ownSpec(words) };
  const files = [
    [path.join(folder, `${words.file}.tool.ts`), texts.tool],
    [path.join(folder, `${words.file}.tool.spec.ts`), texts.spec],
  ];
  const taken = files.find(([file]) => existsSync(file));
  if (taken !== undefined) throw new UsageError(`${taken[0]} exists: nothing was written.`);
  mkdirSync(folder, { recursive: true });
  const style = await prettier.resolveConfig(path.join(root, 'package.json'));
  for (const [file, text] of files) {
    writeFileSync(file, await prettier.format(text, { ...style, filepath: file }), { flag: 'wx' });
  }
  return files.map(([file]) => file);
}

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
