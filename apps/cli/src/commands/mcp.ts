import { Command } from 'commander';
import { runs, withCommonOptions } from './common-options.js';
import { mcpServeCommand } from './mcp-serve.js';

const EXAMPLES = `
Examples
  wstack mcp list
  wstack mcp pin github
  wstack mcp login linear
  wstack mcp serve -C ~/pay
`;
const LIST_EXAMPLES = `
Examples
  wstack mcp list
  wstack mcp list --json | jq -r '.[].name'
`;
const PIN_EXAMPLES = `
Examples
  wstack mcp list            what each server offers, what is new or changed
  wstack mcp pin github      accept the definitions of its tools as they are now

Calls of tools that are not pinned always ask, whatever policy or YOLO say; the first one that you allow pins its tool.
`;
const LOGIN_EXAMPLES = `
Examples
  wstack mcp login linear    open the page that is printed; the tokens go to the vault
  wstack mcp login github --client-id Iv1.8a61 --client-credential GITHUB_APP_SECRET
  wstack mcp logout linear   forget them
`;

export function mcpCommand(): Command {
  const named = (name: string, description: string): Command =>
    withCommonOptions(
      new Command(name).description(description).argument('<server>', 'name in the configuration'),
    );
  return new Command('mcp')
    .description('MCP servers: list, pin, log in; serve our tools to others')
    .addHelpText('after', EXAMPLES)
    .addCommand(mcpServeCommand())
    .addCommand(
      withCommonOptions(new Command('list').description('servers, their state and their tools'))
        .addHelpText('after', LIST_EXAMPLES)
        .action(runs(async () => (await import('../actions/mcp-list.js')).mcpList)),
    )
    .addCommand(
      named('pin', 'accept a server’s tool definitions as they are now')
        .addHelpText('after', PIN_EXAMPLES)
        .action(runs(async () => (await import('../actions/mcp-pin.js')).mcpPin)),
    )
    .addCommand(
      named('login', 'authorise at a remote server (OAuth)')
        .option('--client-id <id>', 'registered beforehand, where a server registers nobody itself')
        .option('--client-credential <name>', 'name of its secret, as stored with wstack auth set')
        .addHelpText('after', LOGIN_EXAMPLES)
        .action(runs(async () => (await import('../actions/mcp-login.js')).mcpLogin)),
    )
    .addCommand(
      named('logout', 'forget the tokens of a remote server')
        .addHelpText('after', LOGIN_EXAMPLES)
        .action(runs(async () => (await import('../actions/mcp-login.js')).mcpLogout)),
    );
}
