// What the generators share: how they are called, and that they write all of their files or none.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';

/** A call that cannot be meant so: one line and the usage, exit code 2. */
export class UsageError extends Error {}

/**
 * `read(name, values)` turns the call into what `generate` takes; `generate` resolves to `[file, text]` pairs, laid out by `style`;
 * `next` says what to do with them.
 */
export async function runGenerator({ command, kind, usage, read, generate, style, next }) {
  try {
    const call = read(...nameAndValues(kind));
    const files = await generate(call);
    for (const file of await write(files, style)) {
      process.stdout.write(`created ${path.relative(process.cwd(), file)}\n`);
    }
    process.stdout.write(next(call));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${command}: ${error.message}\n${usage}\n`);
    process.exitCode = 2;
  }
}

function nameAndValues(kind) {
  const { values, positionals } = parsed();
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError(`name one ${kind}.`);
  if (!['jest', 'vitest'].includes(values.runner)) {
    throw new UsageError(`"${values.runner}" is no test runner that this knows.`);
  }
  return [name, values];
}

function parsed() {
  try {
    const options = { in: { type: 'string' }, runner: { type: 'string', default: 'jest' } };
    return parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

async function write(files, style) {
  // All or none: half of it over somebody's files helps nobody.
  const taken = files.find(([file]) => existsSync(file));
  if (taken !== undefined) throw new UsageError(`${taken[0]} exists: nothing was written.`);
  for (const [file, text] of files) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, await prettier.format(text, { ...style, filepath: file }), { flag: 'wx' });
  }
  return files.map(([file]) => file);
}
