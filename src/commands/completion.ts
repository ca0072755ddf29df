import { Argument, Command } from 'commander';
import { readChoice } from './support/arguments.js';
import { completionScript, type Shell, shells } from './support/completion.js';
import { example } from './support/help-text.js';

const installHints = `
Install it:
  bash  add to ~/.bashrc: eval "$(billing-sim completion bash)"
  zsh   add to ~/.zshrc, after compinit: source <(billing-sim completion zsh)
  fish  add to ~/.config/fish/config.fish: billing-sim completion fish | source`;

export function createCommand(): Command {
  return new Command('completion')
    .description('print a script that lets a shell complete commands, options and values')
    .addArgument(
      new Argument('<shell>', 'shell to complete in').choices(shells).argParser((text) => readChoice(text, shells)),
    )
    .addHelpText('after', example('completion bash'))
    .addHelpText('after', installHints)
    .action((shell: Shell, _flags: object, { parent }: Command) => {
      if (parent) process.stdout.write(completionScript(shell, parent));
    });
}
