import type { Context } from './context.js';

export interface SlashCommandInput {
  readonly args: readonly string[];
  readonly ctx: Context;
}

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly owner?: string;
  execute(input: SlashCommandInput): Promise<{ readonly message: string } | undefined | void>;
}
