import type { Plugin } from '@wrongstack/core';

const plugin: Plugin = {
  name: 'slow-start',
  async setup(api, { signal }) {
    signal.throwIfAborted();
    api.log.info('started');
  },
};

export default plugin;
