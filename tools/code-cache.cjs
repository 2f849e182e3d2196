'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const vm = require('node:vm');

// Node 20 has no module.enableCompileCache(). This does the same for one CommonJS bundle: the compiled code lies beside
// it, is taken *after* a run (when the functions that matter have been compiled), and belongs to one version of Node.
// It lies beside the bundle and nowhere else: a cache is code, and whoever can write there can change the bundle anyway.

/**
 * @param {{ file: string, cacheFile: string, parent: NodeModule, write: 'when-missing' | 'always' }} options
 */
module.exports.runWithCodeCache = ({ file, cacheFile, parent, write }) => {
  silenceLoaderWarning();
  const cachedData = readIfPresent(cacheFile);
  // The build escapes everything beyond ASCII, and one-byte text is half the work to read.
  const script = new vm.Script(Module.wrap(fs.readFileSync(file, 'latin1')), {
    filename: file,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const bundle = new Module(file, parent);
  bundle.filename = file;
  bundle.paths = parent.paths;
  if (write === 'always' || cachedData === undefined || script.cachedDataRejected) {
    process.once('exit', () => replaceQuietly(cacheFile, script));
  }
  script
    .runInThisContext()
    .call(bundle.exports, bundle.exports, Module.createRequire(file), bundle, file, __dirname);
};

// Node 20 calls the ordinary loader inside a vm.Script experimental, and says so on the user's stderr at the first
// import(). It is what every other module gets; all other warnings pass.
function silenceLoaderWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = function (warning, ...rest) {
    if (String(warning).startsWith('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER')) process.emitWarning = emitWarning;
    else emitWarning.call(process, warning, ...rest);
  };
}

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
