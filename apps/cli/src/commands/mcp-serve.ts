import { Command, Option } from 'commander';
import { portNumber, runs, withCommonOptions } from './common-options.js';

const EXAMPLES = `
Examples
  wstack mcp serve -C ~/pay                  over stdio: what an agent starts for itself
  wstack mcp serve --http 7331               on 127.0.0.1, with a bearer that is printed once
  WRONGSTACK_MCP_TOKEN=... wstack mcp serve --http 7331
  wstack mcp serve --http --agent ag-1f0c    your own enrolled agents are let in anyway

Every call is decided by the same policies as your own agent's. A client's name is what it says and nobody vouches for it:
allows that name an identity do not match it, unless it sends the bearer of an enrolled agent. What would ask is asked
through the client (elicitation), else denied, or sent to others where policy says so.
See docs/editors.md.
`;

export function mcpServeCommand(): Command {
  const command = new Command('serve')
    .description('serve the governed tools to other agents')
    .option(
      '--http [port]',
      'streamable HTTP on loopback instead of stdio (any free port by default)',
      portNumber,
    )
    .option('--agent <id>', 'with --http: let this enrolled agent of somebody else in (repeatable)', collect)
    .option('--plan', 'plan mode: read, do not change')
    .option(
      '--metrics-port <port>',
      'Prometheus reads what this process counts there, on loopback',
      portNumber,
    )
    .addOption(new Option('--fixtures', 'what the protocol’s conformance suite asks for').hideHelp());
  return withCommonOptions(command, { json: false })
    .addHelpText('after', EXAMPLES)
    .action(runs(async () => (await import('../actions/mcp-serve.js')).mcpServe));
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
