import type { Command } from 'commander';
import { type Control, type ControlFlags, connect } from './control.js';
import type { Shown } from './output.js';

/** Action of a command that sends requests to a simulator and prints the result. */
export function controlAction<Flags extends object>(
  run: (control: Control, flags: Flags, ...args: string[]) => Promise<Shown>,
): (this: Command) => Promise<void> {
  return async function (this: Command) {
    const flags = this.optsWithGlobals<Flags & ControlFlags>();
    const { value, text } = await run(await connect(flags), flags, ...this.args);
    console.log(flags.json ? JSON.stringify(value) : text);
  };
}

/** Adds subcommands; the first is the default. */
export function withDefault(command: Command, [first, ...others]: readonly [Command, ...Command[]]): Command {
  // Commander passes an unknown subcommand to the default one, as an excess argument.
  first.allowExcessArguments().hook('preAction', async () => {
    const [word] = first.args;
    if (word === undefined) return;
    const { nearest } = await import('../../lib/did-you-mean.js');
    const verbs = [first, ...others].map((verb) => verb.name());
    command.error(
      `error: unknown subcommand '${word}' of ${command.name()} (Did you mean ${nearest(word, verbs)}? Available: ${verbs.join(', ')})`,
    );
  });
  command.addCommand(first, { isDefault: true });
  for (const verb of others) command.addCommand(verb);
  return command;
}

/** Example lines for the end of `--help`. */
export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ billing-sim ${line}`).join('\n')}`;
}
