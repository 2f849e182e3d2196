import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Node {
  /** `wstack tool list` is `tool list`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly { readonly flag: string; readonly description: string }[];
}

/** A static script made from the command tree: completing starts no process. */
export function completionScript(shell: string, program: Command): string {
  const nodes = [...walk(program, '')];
  switch (shell) {
    case 'zsh':
      // zsh can run bash's form, so there is one table to keep right.
      return `#compdef wstack\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(nodes)}`;
    case 'fish':
      return fishScript(nodes);
    default:
      return bashScript(nodes);
  }
}

function* walk(command: Command, path: string): Iterable<Node> {
  yield {
    path,
    commands: command.commands.map((inner) => ({ name: inner.name(), description: inner.description() })),
    flags: command.options.flatMap(({ long, description }) =>
      long === undefined ? [] : [{ flag: long, description }],
    ),
  };
  for (const inner of command.commands) yield* walk(inner, `${path} ${inner.name()}`.trim());
}

function bashScript(nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, commands, flags }) => {
    const words = [...commands.map(({ name }) => name), ...flags.map(({ flag }) => flag), '--help'];
    return `    '${path}') words='${words.join(' ')}' ;;`;
  });
  return `# wstack completion
_wstack() {
  local current path word words
  current="\${COMP_WORDS[COMP_CWORD]}"
  path=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
    *) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _wstack wstack
`;
}

function fishScript(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, commands, flags }) => {
    const words = path === '' ? [] : path.split(' ');
    const taken = commands.map(({ name }) => name).join(' ');
    const condition = [
      ...words.map((word) => `__fish_seen_subcommand_from ${word}`),
      ...(commands.length > 0 ? [`not __fish_seen_subcommand_from ${taken}`] : []),
    ].join('; and ');
    const when = condition === '' ? '' : ` -n '${condition}'`;
    return [
      ...commands.map(
        ({ name, description }) => `complete -c wstack -f${when} -a ${name} -d '${quote(description)}'`,
      ),
      ...flags.map(
        ({ flag, description }) => `complete -c wstack${when} -l ${flag.slice(2)} -d '${quote(description)}'`,
      ),
    ];
  });
  return `# wstack completion\n${lines.join('\n')}\n`;
}

function quote(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
