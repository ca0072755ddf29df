import { Command, InvalidArgumentError, Option, type ParseOptionsResult } from 'commander';
import { version } from '../generated/version.js';
import { probableWord } from '../lib/did-you-mean.js';
import { errorCode, errorMessage, isError } from '../lib/errors.js';
import { memberOf } from '../lib/json.js';
import { disjunction } from '../lib/messages.js';
import { sourceStack } from '../lib/source-stack.js';
import { UserError } from '../lib/user-error.js';
import { commands } from './index.js';
import { CommandError } from './support/command-error.js';
import { type ConfigFile, readConfigFile } from './support/config-file.js';
import {
  addConfigurationSources,
  checkConfigFile,
  configOption,
  configuredValue,
  emptyValueProblem,
  pathOf,
  variablesIn,
} from './support/configuration.js';
import { misspelledVariables } from './support/misspelled-variables.js';
import { onOneLine } from './support/output.js';
import { printNotice, withColors } from './support/style.js';
import { defaultSubcommandOf } from './support/subcommand.js';

/** Exit code for an invalid command line, and for a command that cannot run. */
const cannotRunExitCode = 2;

/**
 * Thrown after commander has printed help, the version or an error. It replaces commander's `process.exit()`, because
 * Node reports a failure to write to standard output asynchronously, and an exit would hide it.
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
  const program = createProgram();
  // Until the command is known, and then the configuration file.
  let isJson = wantsJson(args, program, undefined);
  try {
    const reportUsageError = (message: string): void => printError(message, 'usage', isJson);
    refuseEmptyValues(program);
    const parsed = configureReporting(program, reportUsageError, () => isJson).parseOptions([...args]);
    const commandName = parsed.operands.find((word) => word !== 'help');
    const configPath = program.opts<{ config?: string }>().config ?? (process.env['BILLING_SIM_CONFIG'] || undefined);
    const command = await commands.find(({ name }) => name === commandName)?.load();
    if (command) {
      // The names of its variables depend on its parent.
      command.parent = program;
      isJson = wantsJson(args, command, undefined);
    }
    const needsConfigFile = commandName !== 'completion' && !asksForHelp(args, parsed, command);
    const configFile = needsConfigFile ? await readConfigFile(configPath) : undefined;
    const isUnknown = commandName !== undefined && command === undefined;
    // The completion script lists the options of all commands, a configuration file is checked against them, and an
    // unknown command may be the name of one of their subcommands.
    const loadsAll = commandName === 'completion' || configFile !== undefined || isUnknown;
    for (const { name, summary, load } of commands) {
      const loaded = name === commandName ? command : loadsAll && (await load());
      // A command that is not loaded has only its name and summary, for the list of commands in the help.
      program.addCommand((loaded || new Command(name)).summary(summary));
    }
    isJson = wantsJson(args, command ?? program, configFile);
    if (configFile) checkConfigFile(configFile, program);
    addConfigurationSources(program, configFile);
    for (const addedCommand of program.commands) {
      refuseEmptyValues(addedCommand);
      refuseOppositeOptions(addedCommand);
      configureReporting(addedCommand, reportUsageError, () => isJson);
    }
    // With `--json`, an error is the only line on standard error.
    if (command && needsConfigFile && !isJson) warnAboutVariables(command);
    await program.parseAsync(helpArguments(program, args, parsed), { from: 'user' });
  } catch (error) {
    if (!(error instanceof ParsingEnded)) reportError(error, isJson);
    process.exitCode = error instanceof ParsingEnded ? error.exitCode : cannotRunExitCode;
  }
}

function reportError(error: unknown, isJson: boolean): void {
  const code = error instanceof CommandError ? error.code : 'failed';
  if (isWorkingDirectoryMissing(error))
    printError('the working directory has been deleted; change to another one', code, isJson);
  else if (error instanceof UserError) printError(error.message, code, isJson);
  else if (isJson) printError(errorMessage(error), 'internal', isJson);
  else console.error(isError(error) ? sourceStack(error) : error);
}

function warnAboutVariables(command: Command): void {
  for (const [name, probable] of misspelledVariables(variablesIn(command), process.env)) {
    printNotice(`Warning: the variable ${name} has no effect; did you mean ${probable}?`);
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
 * Makes a command and its subcommands report a usage error in one line, exit with `cannotRunExitCode` after it, and
 * list global options in their help, too.
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
      outputError: (text) => {
        const [, unknown] = /^error: unknown command '(.*)'/.exec(text) ?? [];
        reportUsageError(
          unknown === undefined ? usageErrorMessage(command, text) : unknownCommandMessage(command, unknown),
        );
      },
    })
    .exitOverride(({ exitCode }) => {
      throw new ParsingEnded(exitCode === 0 ? 0 : cannotRunExitCode);
    });
  for (const subcommand of command.commands) configureReporting(subcommand, reportUsageError, isJson);
  return command;
}

/** Turns a usage error of commander into a one-line message. */
function usageErrorMessage(command: Command, text: string): string {
  return (
    text
      .trim()
      .replace(/^error: /, '')
      // Commander takes a negative value such as `-1d` for an option; no option begins with a digit.
      .replace(/^unknown option '(-\d[^']*)'/, "'$1' is not a valid value: it must not be negative")
      // Commander puts a full stop between its own message and the one of the parser of the value.
      .replace(/( is invalid(?: for argument '[^']+')?)\. /, '$1: ')
      .replace('\n(', ' (')
      .replace(/^unknown option '[^']*'$/, (message) =>
        command.parent === null
          ? `${message}; options follow the command, such as billing-sim start --memory`
          : message,
      )
      .replace(/^unknown option '([^']*)'(?: \(.*\))?$/, (message, flag: string) => {
        const sibling = siblingWithOption(command, flag);
        return sibling ? `unknown option '${flag}' (Did you mean ${pathOf(sibling).join(' ')} ${flag}?)` : message;
      })
      .replace(/^too many arguments .*$/, (message) =>
        mayLackQuotes(command) ? `${message.replace(/\.$/, '')}; put a value that has spaces in quotes` : message,
      )
      .replace(
        /^(?:(?:missing required argument|too many arguments) .*|unknown option '[^']*'(?! \().*)$/,
        (message) => `${message.replace(/\.$/, '')}; see ${helpCommandOf(command)}`,
      )
  );
}

/**
 * Returns true if excess arguments may be a value with spaces that is not in quotes, such as `8 days`: joined, they must
 * be a valid value of the only argument of the command. With several arguments, any of them may lack quotes.
 */
function mayLackQuotes({ args, registeredArguments }: Command): boolean {
  const [argument, ...others] = registeredArguments;
  if (others.length > 0) return true;
  if (argument === undefined) return false;
  try {
    argument.parseArg?.(args.join(' '), undefined);
    return true;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return false;
    throw error;
  }
}

/**
 * Finds the subcommand that has an option, if the user named none: `settings set` for `settings --webhook-url`, where
 * `settings` alone means `settings show`.
 */
function siblingWithOption(command: Command, flag: string): Command | undefined {
  const { parent } = command;
  if (!parent || defaultSubcommandOf(parent) !== command) return undefined;
  const [name] = flag.split('=');
  return parent.commands.find(({ options }) => options.some(({ long }) => long === name));
}

/** The command line that prints the help of a command: `billing-sim clock advance --help`. */
function helpCommandOf(command: Command): string {
  return ['billing-sim', ...pathOf(command), '--help'].join(' ');
}

/**
 * Returns an error message that suggests the most similar command or subcommand; for an unknown command that is the name
 * of a subcommand, such as `advance`, the command with it.
 */
function unknownCommandMessage(command: Command, word: string): string {
  const names = command.commands.map((subcommand) => subcommand.name());
  const probable = subcommandsNamed(word, command) ?? probableWord(word, names);
  const suggestion = probable === undefined ? [] : [`Did you mean ${probable}?`];
  if (command.parent === null) {
    return `unknown command '${word}' (${suggestion.join('') || 'billing-sim --help lists all commands'})`;
  }
  const hints = [...suggestion, `Available: ${names.join(', ')}`];
  const message = `unknown subcommand '${word}' of ${command.name()} (${hints.join(' ')})`;
  return probable === undefined ? `${message}; see ${helpCommandOf(command)}` : message;
}

/** Maximum number of subcommands to suggest: almost every command has a `list`. */
const maxSuggestions = 3;

/** Names the subcommands of other commands with a name: `clock advance`. Undefined if there are none, or too many. */
function subcommandsNamed(name: string, { commands: parents }: Command): string | undefined {
  const found = parents.flatMap(({ commands: subcommands }) => subcommands.filter((each) => each.name() === name));
  const isSuggested = found.length > 0 && found.length <= maxSuggestions;
  return isSuggested ? disjunction(found.map((each) => pathOf(each).join(' '))) : undefined;
}

/**
 * Makes a command and its subcommands refuse an option with an empty value, which is usually an unset variable in a
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
 * Rewrites arguments that ask for help: `help a b` becomes `a b --help`, which commander understands at any depth. If
 * one of the words is not a command, returns the words without `--help`, so that commander reports the unknown word
 * instead of printing the help of the parent command. Returns other arguments unchanged.
 * @param parsed the arguments as parsed by the program
 */
function helpArguments(
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

/**
 * Returns true if the arguments ask for help: with a flag such as `--help`, or in the form `help account` or
 * `account help create`. In `account create help`, the word is an argument. Help does not need the configuration file,
 * which may be invalid.
 */
function asksForHelp(args: readonly string[], { operands }: ParseOptionsResult, command: Command | undefined): boolean {
  if (hasHelpFlag(args) || operands[0] === 'help') return true;
  return operands[1] === 'help' && command !== undefined && command.commands.length > 0;
}

/**
 * Returns true if errors are printed as JSON: if `--json` is set on the command line, in its environment variable or in
 * the configuration file. For a command whose `--json` takes a file, the file must be `-`, which means standard output.
 * @param command the command that runs; the program if it is unknown
 */
function wantsJson(args: readonly string[], command: Command, file: ConfigFile | undefined): boolean {
  const { owner, option } = findJsonOption(command) ?? { owner: command, option: new Option('--json') };
  const jsonValue = option.isBoolean() ? true : '-';
  const endOfFlags = args.indexOf('--');
  const flags = endOfFlags < 0 ? args : args.slice(0, endOfFlags);
  const [flag] = flags.filter((word) => word === '--json' || word.startsWith('--json='));
  if (flag === undefined) return configuredValue(owner, option, file) === jsonValue;
  return option.isBoolean() || flag === '--json=-' || flags[flags.indexOf('--json') + 1] === '-';
}

/** Finds the `--json` option of a command, or of one of its subcommands. */
function findJsonOption(command: Command): { readonly owner: Command; readonly option: Option } | undefined {
  const option = command.options.find(({ long }) => long === '--json');
  if (option) return { owner: command, option };
  return command.commands.map(findJsonOption).find((found) => found !== undefined);
}

/** Recognizes the error of `process.cwd()`, which modules of other packages call when they are loaded. */
function isWorkingDirectoryMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' && memberOf(error, 'syscall') === 'uv_cwd';
}

/** Prints an error on stderr in one line, as text or as JSON. The message may quote what the user has typed. */
function printError(message: string, code: string, isJson: boolean): void {
  if (isJson) console.error(JSON.stringify({ error: { code, message } }));
  else printNotice(`error: ${onOneLine(message)}`);
}
