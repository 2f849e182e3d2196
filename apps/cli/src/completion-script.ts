import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Node {
  /** `wstack tool list` is `tool list`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly {
    readonly flag: string;
    readonly description: string;
    readonly values: readonly string[];
  }[];
  /** What the first argument can be, where that is known. */
  readonly values: readonly string[];
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
    flags: command.options.flatMap(({ long, description, argChoices }) =>
      long === undefined ? [] : [{ flag: long, description, values: argChoices ?? [] }],
    ),
    values: command.registeredArguments[0]?.argChoices ?? [],
  };
  for (const inner of command.commands) yield* walk(inner, `${path} ${inner.name()}`.trim());
}

function bashScript(nodes: readonly Node[]): string {
  const valued = nodes.flatMap(({ path, flags }) =>
    flags.flatMap(({ flag, values }) =>
      values.length === 0 ? [] : [`    '${`${path} ${flag}`.trim()}') words='${values.join(' ')}' ;;`],
    ),
  );
  const cases = nodes.map(({ path, commands, flags, values }) => {
    const words = [
      ...values,
      ...commands.map(({ name }) => name),
      ...flags.map(({ flag }) => flag),
      '--help',
    ];
    return `    '${path}') words='${words.join(' ')}' ;;`;
  });
  const paths = nodes.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|');
  return `# wstack completion
_wstack() {
  local current previous path word words
  current="\${COMP_WORDS[COMP_CWORD]}"
  previous="\${COMP_WORDS[COMP_CWORD-1]}"
  path=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *) word="\${path:+$path }$word"
        # The value of an option is no command.
        case "$word" in ${paths}) path="$word" ;; esac ;;
    esac
  done
  case "$path $previous" in
${valued.join('\n')}
    *) words='' ;;
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); return; fi
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _wstack wstack
`;
}

function fishScript(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, commands, flags, values }) => {
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
      ...values.map((value) => `complete -c wstack -f${when} -a ${value}`),
      ...flags.map(({ flag, description, values: taken }) => {
        const argument = taken.length === 0 ? '' : ` -x -a '${taken.join(' ')}'`;
        return `complete -c wstack${when} -l ${flag.slice(2)}${argument} -d '${quote(description)}'`;
      }),
    ];
  });
  return `# wstack completion\n${lines.join('\n')}\n`;
}

function quote(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
