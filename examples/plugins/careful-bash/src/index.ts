import { type Plugin, type RegisteredTool, WrongStackError } from '@wrongstack/core';

/** Refuses programs that the project's rules forbid, also where somebody allowed them. A wrapper can only tighten. */
const plugin: Plugin = {
  name: 'careful-bash',
  version: '1.0.0',
  description: 'bash never runs some programs, whatever was allowed',
  apiVersion: '^0.1.0',
  // Every capability of the tool that is wrapped must be named.
  capabilities: { toolMutateCapabilities: ['shell.arbitrary'] },
  defaultConfig: { forbidden: ['curl', 'wget'] },
  configSchema: {
    type: 'object',
    properties: { forbidden: { type: 'array', items: { type: 'string', minLength: 1 } } },
  },

  setup(api) {
    const forbidden: readonly string[] = api.config.extensions['careful-bash'].forbidden;
    api.tools.wrap('bash', (original: RegisteredTool) => ({
      ...original,
      permission: 'confirm',
      riskTier: 'destructive',
      async execute(input: { readonly command: string }, ctx, opts) {
        // A second look, not the gate: what a command really runs is for the policy to say.
        const word = forbidden.find((one) => input.command.split(/[^\w-]+/).includes(one));
        if (word !== undefined) {
          api.log.warn('a forbidden command was asked for', { word });
          throw new WrongStackError('careful_bash.forbidden', `${word} is not run in this project`);
        }
        return original.execute(input, ctx, opts);
      },
    }));
  },
};

export default plugin;
