import { type Disposer, type SlashCommand, WrongStackError } from '@wrongstack/contracts';
import type { PluginAPI } from '@wrongstack/kernel';
import type { CapabilityGuard } from './capability-guard.js';
import type { PluginHost } from './plugin-host.js';

/** Slash commands as one plugin sees them: it registers its own, and runs nobody else's. */
export function commandSurface(
  name: string,
  { slashCommands }: PluginHost,
  guard: CapabilityGuard,
  track: (disposer: Disposer) => Disposer,
): PluginAPI['slashCommands'] {
  // Commands are for the person to type: /yolo in the hands of a plugin would be a yes of nobody's.
  const seen = (command: SlashCommand): SlashCommand =>
    command.owner === name
      ? command
      : {
          ...command,
          execute: async () => {
            throw new WrongStackError(
              'plugin.sealed',
              `plugin ${name}: /${command.name} is the person's to type`,
            );
          },
        };
  return {
    register(command) {
      guard.use('slashCommands');
      return track(
        slashCommands.register({ ...command, execute: command.execute.bind(command), owner: name }),
      );
    },
    unregister: (command) => slashCommands.get(command)?.owner === name && slashCommands.unregister(command),
    get(command) {
      const found = slashCommands.get(command);
      return found === undefined ? undefined : seen(found);
    },
    list: () => slashCommands.list().map(seen),
  };
}
