// `npm run generate:plugin -- <name> --in <folder> [--runner jest|vitest]`: a working plugin with its test, to be changed into
// what you need. It declares what it uses and has one of each thing that most plugins have: an option with its schema, a
// tool, a slash command, a metric, health, and a teardown.
import path from 'node:path';
import { runGenerator, UsageError } from './generator.mjs';
import { pluginFiles } from './plugin-templates.mjs';

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

await runGenerator({
  command: 'generate:plugin',
  kind: 'plugin',
  usage: 'usage: npm run generate:plugin -- <name> --in <folder> [--runner jest|vitest]',
  style: { printWidth: 110, singleQuote: true },
  read(name, values) {
    if (!NAME.test(name) || name.length > 40) {
      throw new UsageError(
        `"${name}" is no plugin name: use lower-case words with dashes, as in line-counter.`,
      );
    }
    if (['core', 'mcp', 'wrongstack', 'wstack'].includes(name)) {
      throw new UsageError(`"${name}" is the host's own name: choose another.`);
    }
    if (values.in === undefined) {
      throw new UsageError('say where with --in: the plugin becomes a folder in it.');
    }
    return { name, folder: path.resolve(values.in, name), runner: values.runner };
  },
  async generate({ name, folder, runner }) {
    return Object.entries(pluginFiles({ name, runner, workspace: wayToWorkspace(folder) })).map(
      ([file, text]) => [path.join(folder, file), text],
    );
  },
  next({ name, folder }) {
    const place = path.relative(process.cwd(), folder) || '.';
    return `
next: compile it, after npm run build (npx tsc -p ${place}), then
  wstack plugin check ${place}
  mkdir -p ~/.wrongstack/plugins && cp -r ${place} ~/.wrongstack/plugins/${name}
`;
  },
});

/** Null inside of the repository, where the compiler finds its packages by itself. */
function wayToWorkspace(folder) {
  const root = path.resolve(import.meta.dirname, '../..');
  const below = path.relative(root, folder);
  const inside = !below.startsWith('..') && !path.isAbsolute(below);
  return inside ? null : path.relative(folder, root).split(path.sep).join('/');
}
