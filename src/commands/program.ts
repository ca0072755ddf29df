import { Command } from 'commander';
import { version } from '../generated/version.js';
import { sourceStack } from '../lib/source-stack.js';
import { UserError } from '../lib/user-error.js';
import { commands } from './index.js';
import { CommandError } from './support/command-error.js';
import {
  addConfiguration,
  type ConfigFile,
  checkConfigFile,
  configOption,
  readConfigFile,
} from './support/configuration.js';
import { printNotice, withColors } from './support/style.js';

/** Exit code for a wrong command line, and for a command that cannot run. */
const cannotRunExitCode = 2;

/** Runs the command that the arguments name. An error is printed on stderr, and sets the exit code. */
export async function runProgram(args: readonly string[]): Promise<void> {
  let isJson = args.includes('--json');
  try {
    const program = createProgram();
    const report = (message: string): void => printError(message, 'usage', isJson);
    const { operands } = configureReporting(program, report, () => isJson).parseOptions([...args]);
    const commandName = operands[0] === 'help' ? operands[1] : operands[0];
    const configPath = program.opts<{ config?: string }>().config ?? (process.env['BILLING_SIM_CONFIG'] || undefined);
    const file = needsNoConfig(args, commandName) ? undefined : await readConfigFile(configPath);
    for (const { name, summary, load } of commands) {
      const isLoaded = name === commandName || commandName === 'completion' || file !== undefined;
      program.addCommand((isLoaded ? await load() : new Command(name)).summary(summary));
    }
    isJson = wantsJson(
      args,
      program.commands.find((each) => each.name() === commandName),
      file,
    );
    if (file) checkConfigFile(file, program);
    addConfiguration(program, file);
    for (const each of program.commands) configureReporting(each, report, () => isJson);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const { code, exitCode } = error instanceof CommandError ? error : { code: 'failed', exitCode: cannotRunExitCode };
    if (error instanceof UserError) printError(error.message, code, isJson);
    else if (isJson) printError(error instanceof Error ? error.message : String(error), 'internal', isJson);
    else console.error(error instanceof Error ? sourceStack(error) : error);
    process.exitCode = exitCode;
  }
}

/** Creates the program with all commands in full, as the reference, the completion and the configuration need it. */
export async function createFullProgram(): Promise<Command> {
  const program = createProgram();
  for (const { summary, load } of commands) program.addCommand((await load()).summary(summary));
  addConfiguration(program);
  return program;
}

function createProgram(): Command {
  return new Command('billing-sim')
    .description('A local simulator of the Billing Service')
    .version(version)
    .addOption(configOption());
}

/** Makes a command and its subcommands report usage errors in one line with the same exit code, and list all options in help. */
function configureReporting(command: Command, report: (message: string) => void, isJson: () => boolean): Command {
  command
    .configureHelp({ ...command.configureHelp(), showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void process.stdout.write(withColors(text, process.stdout)),
      // Help about an incomplete command line.
      writeErr: (text) => {
        if (!isJson()) process.stderr.write(withColors(text, process.stderr));
        else if (text.startsWith('Usage:')) report(`${command.name()} needs a subcommand; see --help`);
      },
      outputError: (text) =>
        report(
          text
            .trim()
            .replace(/^error: /, '')
            .replace('\n(', ' ('),
        ),
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : cannotRunExitCode));
  for (const each of command.commands) configureReporting(each, report, isJson);
  return command;
}

/** Whether a command reads no configuration, so that a broken file does not keep it from working. */
function needsNoConfig(args: readonly string[], commandName: string | undefined): boolean {
  return commandName === 'completion' || args.some((arg) => ['--help', '-h', 'help'].includes(arg));
}

/** Whether errors are printed as JSON, as they are if the result or the report on stdout is JSON. */
function wantsJson(args: readonly string[], command: Command | undefined, file: ConfigFile | undefined): boolean {
  const endOfFlags = args.indexOf('--');
  const flags = endOfFlags < 0 ? args : args.slice(0, endOfFlags);
  const jsonTakesFile = command?.options.some((option) => option.long === '--json' && !option.isBoolean());
  if (jsonTakesFile) return flags.includes('--json=-') || flags[flags.indexOf('--json') + 1] === '-';
  if (flags.includes('--json')) return true;
  const variable = process.env['BILLING_SIM_JSON'];
  return variable === undefined ? file?.settings['json'] === true : ['true', '1'].includes(variable);
}

/** Prints an error on stderr: one line, for people or as JSON. */
function printError(message: string, code: string, isJson: boolean): void {
  if (isJson) console.error(JSON.stringify({ error: { code, message } }));
  else printNotice(`error: ${message}`);
}
