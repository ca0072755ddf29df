import type { Command, ParseOptionsResult } from 'commander';

/**
 * Rewrites arguments that ask for help: `help a b` becomes `a b --help`, which commander understands at any depth. If
 * one of the words is not a command, returns the words without `--help`, so that commander reports the unknown word
 * instead of printing the help of the parent command. Returns other arguments unchanged.
 * @param parsed the arguments as parsed by the program
 */
export function helpArguments(
  program: Command,
  args: readonly string[],
  { operands, unknown }: ParseOptionsResult,
): readonly string[] {
  const words: string[] = [];
  let command = program;
  let isHelpCommand = false;
  for (const word of operands) {
    if (command.commands.length === 0) {
      // The words after a command without subcommands are its arguments.
      if (!isHelpCommand) return args;
      command.error(`error: unknown subcommand '${word}' of ${command.name()} (it has no subcommands)`);
    }
    if (word === 'help') {
      isHelpCommand = true;
      continue;
    }
    words.push(word);
    const subcommand = command.commands.find((each) => each.name() === word);
    if (!subcommand) return isHelpCommand || hasHelpFlag(unknown) ? words : args;
    command = subcommand;
  }
  return isHelpCommand ? [...words, '--help'] : args;
}

function hasHelpFlag(flags: readonly string[]): boolean {
  return flags.includes('--help') || flags.includes('-h');
}
