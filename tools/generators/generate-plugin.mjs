// `npm run generate:plugin -- <name> --in <folder> [--runner jest|vitest]`: a working plugin with its test, to be changed into
// what you need. It declares what it uses and has one of each thing that most plugins have: an option with its schema, a
// tool, a slash command, a metric, health, and a teardown.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { pluginFiles } from './plugin-templates.mjs';

const USAGE = 'usage: npm run generate:plugin -- <name> --in <folder> [--runner jest|vitest]';
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const STYLE = { printWidth: 110, singleQuote: true };

class UsageError extends Error {}

try {
  const { name, folder, runner } = readArguments(process.argv.slice(2));
  for (const file of await generate(name, folder, runner)) {
    process.stdout.write(`created ${path.relative(process.cwd(), file)}\n`);
  }
  process.stdout.write(`
next: compile it, after npm run build (npx tsc -p ${path.relative(process.cwd(), folder) || '.'}), then
  wstack plugin check ${path.relative(process.cwd(), folder) || '.'}
  mkdir -p ~/.wrongstack/plugins && cp -r ${path.relative(process.cwd(), folder) || '.'} ~/.wrongstack/plugins/${name}
`);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`generate:plugin: ${error.message}\n${USAGE}\n`);
  process.exitCode = 2;
}

function readArguments(args) {
  const { values, positionals } = parsed(args);
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError('name one plugin.');
  if (!NAME.test(name) || name.length > 40) {
    throw new UsageError(
      `"${name}" is no plugin name: use lower-case words with dashes, as in line-counter.`,
    );
  }
  if (values.in === undefined)
    throw new UsageError('say where with --in: the plugin becomes a folder in it.');
  if (!['jest', 'vitest'].includes(values.runner)) {
    throw new UsageError(`"${values.runner}" is no test runner that this knows.`);
  }
  return { name, folder: path.resolve(values.in, name), runner: values.runner };
}

function parsed(args) {
  try {
    const options = { in: { type: 'string' }, runner: { type: 'string', default: 'jest' } };
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/** Null inside of the repository, where the compiler finds its packages by itself. */
function wayToWorkspace(folder) {
  const root = path.resolve(import.meta.dirname, '../..');
  const below = path.relative(root, folder);
  const inside = !below.startsWith('..') && !path.isAbsolute(below);
  return inside ? null : path.relative(folder, root).split(path.sep).join('/');
}

async function generate(name, folder, runner) {
  const files = Object.entries(pluginFiles({ name, runner, workspace: wayToWorkspace(folder) })).map(
    ([file, text]) => [path.join(folder, file), text],
  );
  // All or none: half a plugin over somebody's files helps nobody.
  const taken = files.find(([file]) => existsSync(file));
  if (taken !== undefined) throw new UsageError(`${taken[0]} exists already.`);
  for (const [file, text] of files) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, await prettier.format(text, { ...STYLE, filepath: file }));
  }
  return files.map(([file]) => file);
}
