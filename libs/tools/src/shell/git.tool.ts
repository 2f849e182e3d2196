import type { Context, RichToolOutput, Tool, ToolOptions } from '@wrongstack/contracts';
import { childEnvironment, type Environment } from '../process/child-environment.js';
import { presentCommandResult } from './command-result.js';
import { gitArgv, refuseGitInput, type GitInput } from './git-arguments.js';
import { GIT_CONFIG } from './git-commands.js';
import { resultOf, runCommand, type CommandEvents } from './run-command.js';

const TIMEOUT_MS = 120_000;

export function createGitTool(options: {
  readonly environment: Environment;
}): Tool<GitInput, RichToolOutput> {
  async function* start(input: GitInput, ctx: Context, opts: ToolOptions): CommandEvents {
    refuseGitInput(input);
    yield* runCommand(
      {
        tool: 'git',
        argv: gitArgv(input),
        cwd: ctx.cwd,
        env: childEnvironment(options.environment, GIT_CONFIG),
        timeoutMs: TIMEOUT_MS,
      },
      ctx,
      opts,
    );
  }
  return {
    name: 'git',
    description:
      'Run git: args = subcommand and options; a ref and paths may stand apart. Hooks, pagers and editors are off.',
    inputSchema: {
      type: 'object',
      properties: {
        args: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          description: 'Like ["log","--oneline","-5"]',
        },
        ref: { type: 'string' },
        paths: { type: 'array', items: { type: 'string' } },
      },
      required: ['args'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    riskPerCall: true,
    capabilities: ['shell.restricted'],
    category: 'Shell',
    timeoutMs: TIMEOUT_MS + 15_000,
    maxOutputBytes: 32_000,
    estimatedDurationMs: 500,
    execute: async (input, ctx, opts) => resultOf(start(input, ctx, opts)),
    executeStream: start,
    describeCall: (input, ctx) => ({ paths: [], command: gitArgv(input), cwd: ctx.cwd, urls: [] }),
    presentCall: (input) => ({ card: 'terminal', title: gitArgv(input).join(' ') }),
    presentResult: (input, result) => presentCommandResult(gitArgv(input).join(' '), result),
  };
}
