import { resolve } from 'node:path';
import type { Context, RichToolOutput, Tool, ToolOptions } from '@wrongstack/contracts';
import { resolveInput } from '../paths/resolve-path.js';
import { childEnvironment, type Environment } from '../process/child-environment.js';
import { badInput, optionalInteger, optionalText, rawInput, shown, text } from '../read-input.js';
import { presentCommandResult } from './command-result.js';
import { resultOf, runCommand, type CommandEvents } from './run-command.js';
import { faultOfWord } from '../text/well-formed.js';

export interface BashInput {
  readonly command: string;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

export const DEFAULT_TIMEOUT_MS = 120_000;
export const MOST_TIMEOUT_MS = 600_000;
/** A server or a watch that was started in the background and forgotten ends after a day. */
export const BACKGROUND_TIMEOUT_MS = 24 * 3_600_000;
/** The executor's limit lies behind the command's own, so that a command that times out still reports its output. */
export const TOOL_TIMEOUT_MS = MOST_TIMEOUT_MS + 15_000;

export function createBashTool(options: {
  readonly environment: Environment;
}): Tool<BashInput, RichToolOutput> {
  async function* start(input: BashInput, ctx: Context, opts: ToolOptions): CommandEvents {
    const raw = rawInput(input);
    const command = text(raw, 'command');
    if (command.trim() === '') throw badInput('command', 'must not be empty');
    const fault = faultOfWord(command);
    if (fault !== undefined) throw badInput('command', fault);
    yield* runCommand(
      {
        tool: 'bash',
        // `--` because bash takes the first word that is no option as the command.
        argv: ['bash', '--noprofile', '--norc', '-c', '--', command],
        cwd: resolveInput(ctx.cwd, optionalText(raw, 'cwd') ?? '.'),
        env: childEnvironment(options.environment),
        timeoutMs: optionalInteger(raw, 'timeoutMs', {
          min: 1,
          max: MOST_TIMEOUT_MS,
          fallback: opts.taskOutput === undefined ? DEFAULT_TIMEOUT_MS : BACKGROUND_TIMEOUT_MS,
        }),
      },
      ctx,
      opts,
    );
  }
  return {
    name: 'bash',
    description:
      'Run a bash command. No input, no terminal; background processes end with it. For files use read, edit, grep, glob.',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1 },
        cwd: { type: 'string' },
        timeoutMs: { type: 'integer', minimum: 1, maximum: MOST_TIMEOUT_MS, description: 'Default 120000' },
      },
      required: ['command'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    riskPerCall: true,
    capabilities: ['shell.arbitrary'],
    category: 'Shell',
    timeoutMs: TOOL_TIMEOUT_MS,
    backgroundTimeoutMs: BACKGROUND_TIMEOUT_MS + 15_000,
    background: 'optional',
    maxOutputBytes: 32_000,
    estimatedDurationMs: 5_000,
    execute: async (input, ctx, opts) => resultOf(start(input, ctx, opts)),
    executeStream: start,
    describeCall: (input, ctx) => ({
      paths: [],
      command: shown(input, 'command'),
      cwd: resolve(ctx.cwd, shown(input, 'cwd', '.')),
      urls: [],
    }),
    presentCall: (input) => {
      const cwd = shown(input, 'cwd');
      return { card: 'terminal', title: shown(input, 'command', 'bash'), ...(cwd === '' ? {} : { cwd }) };
    },
    presentResult: (input, result) => presentCommandResult(shown(input, 'command', 'bash'), result),
  };
}
