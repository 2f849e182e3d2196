import type { Plugin } from '@wrongstack/core';

const plugin: Plugin = { name: 'wstack-router', version: '1.4.0', setup() {} };

export default plugin;
