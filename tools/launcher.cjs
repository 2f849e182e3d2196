#!/usr/bin/env node
'use strict';
// What the bin starts. The two answers that never change are frozen at build time; the rest is one bundle.
const argv = process.argv;
const only = argv.length === 3 ? argv[2] : '';
if (only === '--version' || only === '-V') {
  print(__VERSION__);
} else if (only === '--help' || only === '-h') {
  print(__HELP__);
} else {
  const { runWithCodeCache } = require('./code-cache.cjs');
  runWithCodeCache({
    file: `${__dirname}/bundle.cjs`,
    cacheOf: (name) => `${__dirname}/${name}.${__HASH__}.${process.version}-${process.arch}.cache`,
    parent: module,
    importModule: (name) => import(name),
    write: 'when-missing',
  });
}

// Straight to the descriptor: making the process.stdout stream would cost more than everything else here.
function print(text) {
  try {
    require('node:fs').writeSync(1, text);
  } catch {
    process.stdout.write(text);
  }
}
