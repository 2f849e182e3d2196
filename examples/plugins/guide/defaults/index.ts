import type { Plugin } from '@wrongstack/core';

const plugin: Plugin = {
  name: 'defaults',
  defaultConfig: { ttl: 3600, maxEntries: 100 }, // merged before setup
  configSchema: {/* validates merged config */},
  async health() {
    return { ok: this.connected, message: 'Redis: connected' };
  },
  async setup(api) {
    this.connected = true;
    this.heartbeat = setInterval(() => {}, 1_000);
  },
  async teardown(api) {
    clearInterval(this.heartbeat);
    await this.subprocess?.kill();
    api.log.info('shut down cleanly');
  },
};

export default plugin;
