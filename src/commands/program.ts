import { Command, type Option } from 'commander';
import { version } from '../generated/version.js';
import { sourceStack } from '../lib/source-stack.js';
import { UserError } from '../lib/user-error.js';
import { commands } from './index.js';
import { CommandError } from './support/command-error.js';
import {
  addConfigurationSources,
  type ConfigFile,
  checkConfigFile,
  configOption,
  emptyValueProblem,
  readConfigFile,
} from './support/configuration.js';
import { helpArguments } from './support/help-arguments.js';
import { printNotice, withColors } from './support/style.js';

/** Exit code for a wrong command line, and for a command that cannot run. */
const cannotRunExitCode = 2;

/**
 * Thrown after commander has printed help, the version or an error. The process does not exit immediately, since errors of
 * standard output are reported asynchronously.
 */
class ParsingEnded extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super();
    this.exitCode = exitCode;
  }
}

/** Runs the command that the arguments name. Prints an error on stderr, and sets the exit code. */
export async function runProgram(args: readonly string[]): Promise<void> {
  let isJson = args.includes('--json');
  try {
    const program = createProgram();
    const reportUsageError = (message: string): void => printError(message, 'usage', isJson);
    refuseEmptyValues(program);
    const parsed = configureReporting(program, reportUsageError, () => isJson).parseOptions([...args]);
    const commandName = parsed.operands.find((word) => word !== 'help');
    const configPath = program.opts<{ config?: string }>().config ?? (process.env['BILLING_SIM_CONFIG'] || undefined);
    const configFile = readsConfigFile(args, commandName) ? await readConfigFile(configPath) : undefined;
    for (const { name, summary, load } of commands) {
      // The completion script lists the options of all commands, and a configuration file is checked against them.
      const mustLoad = name === commandName || commandName === 'completion' || configFile !== undefined;
      program.addCommand((mustLoad ? await load() : new Command(name)).summary(summary));
    }
    isJson = wantsJson(
      args,
      program.commands.find((command) => command.name() === commandName),
      configFile,
    );
    if (configFile) checkConfigFile(configFile, program);
    addConfigurationSources(program, configFile);
    for (const command of program.commands) {
      refuseEmptyValues(command);
      refuseOppositeOptions(command);
      configureReporting(command, reportUsageError, () => isJson);
    }
    await program.parseAsync(helpArguments(program, args, parsed), { from: 'user' });
  } catch (error) {
    if (error instanceof ParsingEnded) {
      process.exitCode = error.exitCode;
      return;
    }
    const code = error instanceof CommandError ? error.code : 'failed';
    if (error instanceof UserError) printError(error.message, code, isJson);
    else if (isJson) printError(error instanceof Error ? error.message : String(error), 'internal', isJson);
    else console.error(error instanceof Error ? sourceStack(error) : error);
    process.exitCode = cannotRunExitCode;
  }
}

/** Creates the program with all commands loaded, for the command reference, the configuration schema and tests. */
export async function createFullProgram(): Promise<Command> {
  const program = createProgram();
  for (const { summary, load } of commands) program.addCommand((await load()).summary(summary));
  addConfigurationSources(program);
  return program;
}

function createProgram(): Command {
  return new Command('billing-sim')
    .description('A local simulator of the Billing Service')
    .version(version)
    .addOption(configOption());
}

/**
 * Makes a command and its subcommands report a usage error in one line, exit with `cannotRunExitCode` after it, and list
 * global options in their help, too.
 */
function configureReporting(
  command: Command,
  reportUsageError: (message: string) => void,
  isJson: () => boolean,
): Command {
  command
    .configureHelp({ ...command.configureHelp(), showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void process.stdout.write(withColors(text, process.stdout)),
      // Commander writes help here if the command line lacks a subcommand.
      writeErr: (text) => {
        if (!isJson()) process.stderr.write(withColors(text, process.stderr));
        else if (text.startsWith('Usage:')) reportUsageError(`${command.name()} needs a subcommand; see --help`);
      },
      outputError: (text) =>
        reportUsageError(
          text
            .trim()
            .replace(/^error: /, '')
            // Commander ends its sentence before the message of the parser.
            .replace(/( is invalid(?: for argument '[^']+')?)\. /, '$1: ')
            .replace('\n(', ' ('),
        ),
    })
    .exitOverride(({ exitCode }) => {
      throw new ParsingEnded(exitCode === 0 ? 0 : cannotRunExitCode);
    });
  for (const subcommand of command.commands) configureReporting(subcommand, reportUsageError, isJson);
  return command;
}

/**
 * Makes a command and its subcommands refuse an option with an empty value, which is usually an unset variable of a
 * shell script: it must not silently mean the default or, for `--host`, all addresses.
 */
function refuseEmptyValues(command: Command): void {
  for (const option of command.options) {
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (value === '') command.error(`error: option '${option.flags}' ${emptyValueProblem}`);
    });
  }
  for (const subcommand of command.commands) refuseEmptyValues(subcommand);
}

/**
 * Makes a command and its subcommands refuse an option together with its `--no-…` form. Otherwise the last one would
 * silently apply.
 */
function refuseOppositeOptions(command: Command): void {
  for (const negated of command.options.filter(({ negate }) => negate)) {
    const pair = command.options.filter((option) => option.attributeName() === negated.attributeName());
    const given = new Set<Option>();
    for (const option of pair) {
      command.on(`option:${option.name()}`, () => {
        if (given.add(option).size < 2) return;
        command.error(`error: ${pair.map(({ flags }) => `option '${flags}'`).join(' cannot be used with ')}`);
      });
    }
  }
  for (const subcommand of command.commands) refuseOppositeOptions(subcommand);
}

/**
 * Returns true if a command reads the configuration file. Help and completion do not, so that they work even if the file
 * is invalid.
 */
function readsConfigFile(args: readonly string[], commandName: string | undefined): boolean {
  return commandName !== 'completion' && !args.some((arg) => ['--help', '-h', 'help'].includes(arg));
}

/**
 * Returns true if errors are printed as JSON: with `--json` on the command line, in its variable or in the configuration
 * file. For a command whose `--json` takes a file, only `--json -` on the command line counts.
 */
function wantsJson(args: readonly string[], command: Command | undefined, file: ConfigFile | undefined): boolean {
  const endOfFlags = args.indexOf('--');
  const flags = endOfFlags < 0 ? args : args.slice(0, endOfFlags);
  const jsonTakesFile = command?.options.some((option) => option.long === '--json' && !option.isBoolean());
  if (jsonTakesFile) return flags.includes('--json=-') || flags[flags.indexOf('--json') + 1] === '-';
  if (flags.includes('--json')) return true;
  const variable = process.env['BILLING_SIM_JSON'];
  return variable === undefined ? file?.settings['json'] === true : ['true', '1'].includes(variable);
}

/** Prints an error on stderr in one line, as text or as JSON. */
function printError(message: string, code: string, isJson: boolean): void {
  if (isJson) console.error(JSON.stringify({ error: { code, message } }));
  else printNotice(`error: ${message}`);
}
