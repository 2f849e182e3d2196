import type { Plugin } from '@wrongstack/core';

const plugin: Plugin = { name: 'wstack-auth', setup() {} };

export default plugin;
