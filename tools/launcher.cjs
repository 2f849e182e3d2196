#!/usr/bin/env node
'use strict';
// Node 20 has no module.enableCompileCache(): this launcher does the same for one CommonJS bundle with vm.Script cachedData.
const argv = process.argv;
if (argv.length === 3 && (argv[2] === '--version' || argv[2] === '-V')) {
  process.stdout.write(__VERSION__ + '\n');
} else if (argv.length === 3 && (argv[2] === '--help' || argv[2] === '-h')) {
  process.stdout.write(__HELP__);
} else {
  const fs = require('node:fs');
  const path = require('node:path');
  const vm = require('node:vm');
  const Module = require('node:module');
  const file = path.join(__dirname, 'bundle.cjs');
  const cacheFile = path.join(
    process.env.WSTACK_CODE_CACHE ?? __dirname,
    `bundle.${process.version}-${process.arch}.${__HASH__}.cache`,
  );
  let cachedData;
  try {
    cachedData = fs.readFileSync(cacheFile);
  } catch {
    cachedData = undefined;
  }
  const script = new vm.Script(Module.wrap(fs.readFileSync(file, 'utf8')), {
    filename: file,
    cachedData,
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const m = new Module(file, module);
  m.filename = file;
  m.paths = module.paths;
  const write = () => {
    try {
      const tmp = `${cacheFile}.${process.pid}`;
      fs.writeFileSync(tmp, script.createCachedData());
      fs.renameSync(tmp, cacheFile);
    } catch {
      // read-only install: run without a cache
    }
  };
  if (cachedData === undefined || script.cachedDataRejected) process.once('exit', write);
  script.runInThisContext().call(m.exports, m.exports, Module.createRequire(file), m, file, __dirname);
}
