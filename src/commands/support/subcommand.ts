import type { Command } from 'commander';
import { UserError } from '../../lib/user-error.js';
import { CommandError } from './command-error.js';
import { type Control, connect, controlFlagsOf } from './control.js';
import type { CommandOutput } from './output.js';
import { printNotice, printText } from './style.js';

/**
 * Creates the action of a command that sends requests to a simulator and prints the result.
 * @param run gets the connection, the flags, and the arguments of the command line in order, as the user wrote them
 */
export function controlAction<Flags extends object>(
  run: (control: Control, flags: Flags, ...args: string[]) => Promise<CommandOutput>,
): (this: Command) => Promise<void> {
  return async function (this: Command) {
    const flags = controlFlagsOf<Flags>(this);
    // With `--json`, an error must be the only line on standard error, so warnings are printed only after a success.
    const warnings: string[] = [];
    const warn = flags.json ? (line: string) => void warnings.push(line) : printNotice;
    const control = await connect(flags, warn);
    const { value, text } = await run(control, flags, ...this.args).catch((error: unknown) => {
      throw withWarnings(error, warnings);
    });
    for (const line of warnings) printNotice(line);
    if (flags.json) console.log(JSON.stringify(value));
    else printText(text);
  };
}

/** Adds warnings to the message of an error that users can fix. Returns other errors unchanged. */
function withWarnings(error: unknown, warnings: readonly string[]): unknown {
  if (!(error instanceof UserError) || warnings.length === 0) return error;
  const code = error instanceof CommandError ? error.code : undefined;
  return new CommandError([error.message.replace(/\.$/, ''), ...warnings].join('. '), code);
}

const defaultSubcommands = new WeakMap<Command, Command>();

/** Returns the subcommand that runs if the command line names none. */
export const defaultSubcommandOf = (command: Command): Command | undefined => defaultSubcommands.get(command);

/** Adds subcommands to a command; the first one runs if the command line names none. */
export function addSubcommands(command: Command, [first, ...others]: readonly [Command, ...Command[]]): Command {
  // Commander passes an unknown subcommand to the default one, as an excess argument.
  first.allowExcessArguments().hook('preAction', () => {
    const [typed] = first.args;
    // The program adds a suggestion to this error (Did you mean …?).
    if (typed !== undefined) command.error(`error: unknown command '${typed}'`);
  });
  // The summary replaces the description in the help of the parent command.
  first.summary(`${first.description()} (default)`);
  command.addCommand(first, { isDefault: true });
  defaultSubcommands.set(command, first);
  for (const subcommand of others) command.addCommand(subcommand);
  return command;
}
