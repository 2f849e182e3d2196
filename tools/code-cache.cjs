'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

// Node 20 has no module.enableCompileCache(). This does the same for one CommonJS bundle: the compiled code lies beside
// it, is taken *after* a run (when the functions that matter have been compiled), and belongs to one version of Node.
// It lies beside the bundle and nowhere else: a cache is code, and whoever can write there can change the bundle anyway.

/**
 * Run a bundle. A bundle may ask for a further file beside it with `module.loadPart(name)`, which is loaded in the same
 * way, with a cache of its own; what that file exports is returned.
 *
 * `importModule` is the caller's own import(): cached code has lost its link to the loader (see route-imports.mjs).
 * @param {{ file: string, cacheOf: (name: string) => string, parent: NodeModule,
 *   importModule: (name: string) => Promise<unknown>, write: 'when-missing' | 'always' }} options `cacheOf` takes the name
 *   of a bundle without its folder and extension, and says where its cache is.
 * @returns {unknown} what the bundle exports
 */
function runWithCodeCache(options) {
  const { file, cacheOf, parent, importModule, write } = options;
  const cacheFile = cacheOf(path.basename(file, '.cjs'));
  const cachedData = readIfPresent(cacheFile);
  // The build escapes everything beyond ASCII, and one-byte text is half the work to read.
  const script = new vm.Script(Module.wrap(fs.readFileSync(file, 'latin1')), {
    filename: file,
    cachedData,
  });
  const folder = path.dirname(file);
  const bundle = new Module(file, parent);
  bundle.filename = file;
  bundle.paths = parent.paths;
  bundle.importModule = importModule;
  bundle.loadPart = (name) => runWithCodeCache({ ...options, file: path.join(folder, name) });
  if (write === 'always' || cachedData === undefined || script.cachedDataRejected) {
    process.once('exit', () => replaceQuietly(cacheFile, script));
  }
  script
    .runInThisContext()
    .call(bundle.exports, bundle.exports, Module.createRequire(file), bundle, file, folder);
  return bundle.exports;
}
module.exports.runWithCodeCache = runWithCodeCache;

function readIfPresent(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

function replaceQuietly(file, script) {
  const draft = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(draft, script.createCachedData());
    fs.renameSync(draft, file);
  } catch {
    // Installed read-only: every run compiles for itself.
  }
}
