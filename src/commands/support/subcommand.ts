import type { Command } from 'commander';
import { type Control, type ControlFlags, connect } from './control.js';
import type { CommandOutput } from './output.js';
import { printText } from './style.js';

/**
 * Creates the action of a command that sends requests to a simulator and prints the result.
 * @param run gets the connection, the flags, and the arguments of the command line in order, as the user wrote them
 */
export function controlAction<Flags extends object>(
  run: (control: Control, flags: Flags, ...args: string[]) => Promise<CommandOutput>,
): (this: Command) => Promise<void> {
  return async function (this: Command) {
    const flags = this.optsWithGlobals<Flags & ControlFlags>();
    const { value, text } = await run(await connect(flags), flags, ...this.args);
    if (flags.json) console.log(JSON.stringify(value));
    else printText(text);
  };
}

/** Adds subcommands to a command; the first one runs if the command line names none. */
export function addSubcommands(command: Command, [first, ...others]: readonly [Command, ...Command[]]): Command {
  // Commander passes an unknown subcommand to the default one, as an excess argument.
  first.allowExcessArguments().hook('preAction', () => {
    const [typed] = first.args;
    // The program adds a suggestion to this error (Did you mean …?).
    if (typed !== undefined) command.error(`error: unknown command '${typed}'`);
  });
  command.addCommand(first, { isDefault: true });
  for (const subcommand of others) command.addCommand(subcommand);
  return command;
}
