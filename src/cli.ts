#!/usr/bin/env node
import module from 'node:module';
import { Command } from 'commander';
import { commands } from './commands/index.js';
import { version } from './generated/version.js';
import { errorCode } from './lib/error-code.js';
import { sourceStack } from './lib/source-stack.js';
import { UserError } from './lib/user-error.js';

// Node 22.8 and newer keep compiled code on disk, so that the next command starts faster.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();

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

// A reader such as `head` may close the pipe early; that is not a failure.
process.stdout.on('error', (error) => {
  if (errorCode(error) !== 'EPIPE') throw error;
});

try {
  const program = await createProgram(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
