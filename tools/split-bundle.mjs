// A bundle in two files: what every command may need, and what is loaded when a command first asks for it. esbuild splits
// ES modules only, and this is CommonJS. So the graph of one build of everything is divided here, and two builds follow.
// Each module lies in exactly one of the two files: a class that both use is one class.
import path from 'node:path';

/**
 * Divide the modules of a build.
 * @param {import('esbuild').Metafile} metafile of a build of everything
 * @param {string} main its entry, as the metafile writes it
 * @param {(file: string) => boolean} isLater modules whose import() is where the first file ends
 * @returns {{ entries: string[], later: Set<string>, shared: Map<string, 'esm' | 'cjs'> }} what the first file asks the
 *   second for, all that lies in the second, and what the second asks the first for
 */
export function divide({ inputs }, main, isLater) {
  const entries = new Set();
  const first = reach(inputs, [main], ({ kind, path: file }) => {
    const cut = kind === 'dynamic-import' && isLater(file);
    if (cut) entries.add(file);
    return !cut;
  });
  const all = reach(inputs, [...entries], () => true);
  const later = new Set([...all].filter((file) => !first.has(file)));
  const shared = new Map(
    [...later]
      .flatMap((file) => inputs[file].imports)
      .filter(({ external, path: file }) => !external && first.has(file))
      .map(({ path: file }) => [file, inputs[file].format ?? 'cjs']),
  );
  return { entries: [...entries].filter((file) => later.has(file)), later, shared };
}

function reach(inputs, from, follows) {
  const seen = new Set();
  const open = [...from];
  while (open.length > 0) {
    const file = open.pop();
    if (seen.has(file)) continue;
    seen.add(file);
    for (const edge of inputs[file]?.imports ?? []) {
      if (!edge.external && follows(edge)) open.push(edge.path);
    }
  }
  return seen;
}

/** For the first file: an entry of the second is asked for by its name, and the second is handed what it shares. */
export function askLater({ entries, shared }, root, secondFile) {
  const wanted = new Set(entries);
  const registry = [...shared.keys()].map((file) => `${quote(file)}: () => require(${quote(`./${file}`)})`);
  const later = `let part;
    const shared = { ${registry.join(', ')} };
    module.exports = (name) => (part ??= __loadPart(${quote(secondFile)})((name) => shared[name]()))[name]();`;
  return standIns('ask-later', {
    formatOf: (file) => (wanted.has(file) ? 'esm' : undefined),
    moduleFor: (name) =>
      name === 'later' ? later : `module.exports = require('split:later')(${quote(name)});`,
    root,
  });
}

/** For the second file: whatever lies in the first comes from there. */
export function takeShared({ shared }, root) {
  return standIns('take-shared', {
    formatOf: (file) => shared.get(file),
    moduleFor: (name) => `module.exports = __shared(${quote(name)});`,
    root,
  });
}

/** Every module that has a format here is replaced by one that gets it from the other file. */
function standIns(name, { formatOf, moduleFor, root }) {
  return {
    name,
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /./, namespace: 'file' }, ({ path: file }) => {
        const wanted = path.relative(root, file).replaceAll(path.sep, '/');
        const format = formatOf(wanted);
        if (format === undefined) return undefined;
        if (format === 'cjs') return { contents: moduleFor(wanted), loader: 'js' };
        // Through a module that no package.json is about: there, `default` means what the ES module exported as such.
        const from = quote(`split:${wanted}`);
        return { contents: `export * from ${from}; export { default } from ${from};`, loader: 'js' };
      });
      onResolve({ filter: /^split:/ }, ({ path: one }) => ({ path: one.slice(6), namespace: 'split' }));
      onLoad({ filter: /./, namespace: 'split' }, ({ path: one }) => ({
        contents: moduleFor(one),
        resolveDir: root,
      }));
    },
  };
}

/** The entry of the second file. */
export function laterEntry({ entries }) {
  const members = entries.map((file) => `${quote(file)}: () => require(${quote(`./${file}`)})`);
  return `module.exports = { ${members.join(', ')} };`;
}

/** Around the second file: it is a function of how to get what it shares. */
export const LATER_BANNER = 'module.exports=(__shared)=>{const module={exports:{}};';
export const LATER_FOOTER = 'return module.exports};';

function quote(text) {
  return JSON.stringify(text);
}
