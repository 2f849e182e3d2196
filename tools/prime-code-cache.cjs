'use strict';
// node tools/prime-code-cache.cjs <bundle> <tag> [arguments…]: one run of the bundle whose compiled code is added to the
// cache of that tag beside it, so that the first start after an installation is as quick as the second.
const path = require('node:path');
const { runWithCodeCache } = require('./code-cache.cjs');

const [file, tag] = process.argv.splice(2, 2);
const cacheOf = (name) => path.join(path.dirname(file), `${name}.${tag}.cache`);
const importModule = (name) => import(name);
runWithCodeCache({ file, cacheOf, parent: module, importModule, write: 'always' });
