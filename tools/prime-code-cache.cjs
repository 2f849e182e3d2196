'use strict';
// node tools/prime-code-cache.cjs <bundle> <cache file> [arguments…]: one run of the bundle whose compiled code is added
// to the cache, so that the first start after an installation is as quick as the second.
const { runWithCodeCache } = require('./code-cache.cjs');

const [file, cacheFile] = process.argv.splice(2, 2);
const importModule = (name) => import(name);
runWithCodeCache({ file, cacheFile, parent: module, importModule, write: 'always' });
