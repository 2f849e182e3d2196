#!/usr/bin/env node
'use strict';
// npm links this file at install time, when there is no build yet; it must stay this small, since every command pays for it.
try {
  require('../dist/launcher.cjs');
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND' || !String(error.message).includes('launcher.cjs')) throw error;
  process.stderr.write('wstack: not built yet. Run "npm run build" first.\n');
  process.exitCode = 1;
}
