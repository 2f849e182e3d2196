import { type Disposer, type SlashCommand, WrongStackError } from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';

const COMMAND_NAME = /^[a-z][a-z0-9-]*$/;

/** `/commands` of the interactive session. */
export class SlashCommandRegistry {
  readonly #commands = new Map<string, SlashCommand>();

  /** Throws `slash_command.invalid` or `slash_command.exists`. */
  register(command: SlashCommand): Disposer {
    if (!COMMAND_NAME.test(command.name)) {
      throw new WrongStackError(
        'slash_command.invalid',
        `slash command ${command.name}: name must match ${COMMAND_NAME.source}`,
      );
    }
    if (this.#commands.has(command.name)) {
      throw new WrongStackError(
        'slash_command.exists',
        `slash command /${command.name} is already registered`,
      );
    }
    this.#commands.set(command.name, command);
    return once(() => {
      if (this.#commands.get(command.name) === command) this.#commands.delete(command.name);
    });
  }

  unregister(name: string): boolean {
    return this.#commands.delete(name);
  }

  get(name: string): SlashCommand | undefined {
    return this.#commands.get(name);
  }

  list(): readonly SlashCommand[] {
    return [...this.#commands.values()];
  }
}
