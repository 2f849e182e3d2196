'use strict';
const fs = require('node:fs');
const path = require('node:path');

// Writes what one project's jest run really counted. The file is a declared Nx output, so a cached run brings its
// counts back with it, and the total at the end of `npm test` never depends on what was replayed.
module.exports = class CountReporter {
  constructor(globalConfig, options) {
    this.root = globalConfig.rootDir;
    this.folder = options?.folder ?? path.resolve(__dirname, '..', '.test-results');
  }

  onRunComplete(_contexts, results) {
    // Nx says which project it runs; two of them may lie in folders of the same name.
    const project = process.env.NX_TASK_TARGET_PROJECT ?? path.basename(this.root);
    fs.mkdirSync(this.folder, { recursive: true });
    const counts = {
      project,
      passed: results.numPassedTests,
      // A suite that cannot even load has no tests to fail, but it is a failure all the same.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    fs.writeFileSync(path.join(this.folder, `${project}.json`), `${JSON.stringify(counts)}\n`);
    // A spec that leaves a server or a child behind would keep jest alive for ever. The timer itself keeps nothing
    // alive, so it fires only when something else does.
    setTimeout(() => {
      process.stderr.write(
        `${project}: the tests are over, but a spec left something open (a server, a child, a timer).\n`,
      );
      process.exit(1);
    }, 10_000).unref();
  }
};
