export * from './api/capability-guard.js';
export * from './api/plugin-host.js';
export * from './loader/load-plugins.js';
export * from './loader/loaded-plugin.js';
export * from './loader/order-plugins.js';
export * from './loader/plugin-error.js';
export * from './loader/tool-module.js';
export * from './mutation/plugin-mutation-guard.js';
