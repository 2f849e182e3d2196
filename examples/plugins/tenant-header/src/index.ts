import type { Plugin } from '@wrongstack/core';

/** Sends the tenant with every model request, for a gateway that bills by it. `/tenant <name>` changes it. */
const plugin: Plugin = {
  name: 'tenant-header',
  version: '1.0.0',
  description: 'Sends x-tenant with every model request',
  apiVersion: '^0.1.0',
  capabilities: { pipelines: ['request'], slashCommands: true },
  defaultConfig: { tenant: 'default' },
  configSchema: {
    type: 'object',
    properties: { tenant: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' } },
    required: ['tenant'],
  },

  setup(api) {
    let tenant: string = api.config.extensions['tenant-header'].tenant;
    api.pipelines.request.use({
      name: 'tenant-header',
      owner: 'tenant-header',
      handler: (request, next) => next({ ...request, headers: { ...request.headers, 'x-tenant': tenant } }),
    });
    api.slashCommands.register({
      name: 'tenant',
      description: 'show or change the tenant',
      async execute({ args: [wanted] }) {
        if (wanted === undefined) return { message: `the tenant is ${tenant}` };
        if (!/^[a-z0-9-]{1,64}$/.test(wanted)) {
          return { message: `"${wanted}" is no tenant: use lower-case letters, digits and dashes` };
        }
        tenant = wanted;
        return { message: `the tenant is now ${tenant}` };
      },
    });
    api.onConfigChange((next) => {
      tenant = next.extensions['tenant-header']?.tenant ?? tenant;
    });
  },
};

export default plugin;
