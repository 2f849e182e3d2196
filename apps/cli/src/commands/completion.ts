import { Argument, Command } from 'commander';
import { completionScript, SHELLS } from '../completion-script.js';

const EXAMPLES = `
Examples
  wstack completion bash > ~/.local/share/bash-completion/completions/wstack
  wstack completion zsh > "\${fpath[1]}/_wstack"
  wstack completion fish > ~/.config/fish/completions/wstack.fish
`;

export function completionCommand(program: () => Command): Command {
  return new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action((shell: string) => {
      process.stdout.write(completionScript(shell, program()));
    });
}
