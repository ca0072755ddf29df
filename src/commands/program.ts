import { Command } from 'commander';
import { version } from '../generated/version.js';
import { sourceStack } from '../lib/source-stack.js';
import { UserError } from '../lib/user-error.js';
import { commands } from './index.js';

/** Runs the command that is typed. An error is printed, and sets the exit code 2. */
export async function runProgram(words: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(words);
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 2;
  }
}

/** Creates the program. Only the requested command is loaded in full; the others have a name and a summary. */
async function createProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('billing-sim').description('A local simulator of the Billing Service').version(version);
  const wanted = words[0] === 'help' ? words[1] : words[0];
  for (const { name, summary, load } of commands) {
    const command = name === wanted ? await load() : new Command(name);
    program.addCommand(command.summary(summary));
  }
  return configured(program);
}

/** Makes errors one line long and lets the help of a subcommand show the options of its parent. */
function configured(command: Command): Command {
  command
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(text.replace('\n(', ' (')) });
  command.commands.forEach(configured);
  return command;
}

function messageOf(error: unknown): unknown {
  if (error instanceof UserError) return `error: ${error.message}`;
  return error instanceof Error ? sourceStack(error) : error;
}
