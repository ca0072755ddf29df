import { dirname, resolve } from 'node:path';
import { type Argument, type Command, Help, InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../../lib/did-you-mean.js';
import { isRecord, memberOf } from '../../lib/json.js';
import { disjunction, quote } from '../../lib/messages.js';
import { isRepeatable } from './arguments.js';
import { CommandError } from './command-error.js';
import { type ConfigFile, configFileNames } from './config-file.js';

/*
 * An option that is not on the command line is read from an environment variable; if there is none, from the
 * configuration file. This module decides which variable and which key an option has, and reads their values.
 */

/** Options with the same meaning in every command. Each has one variable, and a key at the top level of the file. */
const sharedOptions = ['url', 'account', 'control-token', 'json', 'data', 'config'];

/**
 * Commands that test an implementation. They also read `targetOptions` from variables without the name of the command,
 * such as `BILLING_TOKEN`.
 */
const testingCommands = ['contract', 'calibrate', 'compare'];
const targetOptions = [
  'base-url',
  'token',
  'read-token',
  'write-token',
  'scopeless-token',
  'other-account-token',
  'webhook-secret',
];

/** Options that a configuration file cannot set, because they make sense only for a single run of a command. */
const notInFile = ['config', 'list', 'dry-run', 'resume', 'force', 'print-secret', 'help', 'version'];

/** True for a placeholder for a path. In `<file|->`, `file` is one; any other alternative is a literal value. */
const isPathName = (name: string): boolean => name === 'file' || name === 'folder';

/** End of the error for an option with an empty value, on the command line or in a configuration file. */
export const emptyValueProblem = 'is empty; give it a value or leave it out';

/** Option that names the configuration file. */
export function configOption(): Option {
  return new Option(
    '--config <file>',
    `configuration file (default: ${configFileNames[0]}, .yaml or .mjs, if there is one)`,
  );
}

/** Lists the environment variables of an option. The first one that is set applies. */
function variablesOf(option: Option, command: Command): string[] {
  const name = option.name();
  if (option.negate || name === 'help' || name === 'version') return [];
  const path = pathOf(command);
  const [topCommand = ''] = path;
  const toVariable = (...words: string[]): string => words.join('_').replaceAll('-', '_').toUpperCase();
  // The variables of `start` do not contain its name: `BILLING_SIM_PORT`.
  if (isShared(option) || topCommand === 'start') return [toVariable('billing', 'sim', name)];
  const variable = toVariable('billing', 'sim', ...path, name);
  const isTargetOption = testingCommands.includes(topCommand) && targetOptions.includes(name);
  return isTargetOption ? [variable, toVariable('billing', name)] : [variable];
}

/** Lists the environment variables of all options of a command, its subcommands and its parents. */
export function variablesIn(command: Command): string[] {
  const own = [command, ...ancestorsOf(command)].flatMap((owner) =>
    owner.options.flatMap((option) => variablesOf(option, owner)),
  );
  return [...own, ...command.commands.flatMap(variablesIn)];
}

function isShared(option: Option): boolean {
  const name = option.name();
  // `--json <file|->` of the contract commands is a different option.
  return sharedOptions.includes(name) && (name !== 'json' || option.isBoolean());
}

/** Lists the names of a command and its parents, from the outermost one, without the program's name. */
export function pathOf(command: Command): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}

/** Returns true if an option takes the path of a file or a folder, perhaps besides some words. */
export function isPath({ flags }: Option): boolean {
  return alternativesIn(flags).some(isPathName);
}

/** Returns true if an argument takes the path of a file, perhaps besides names. */
export function isPathArgument(argument: Argument): boolean {
  return argument.name().split('|').some(isPathName);
}

/** Lists the words that an option takes besides paths: `-` for `--json <file|->`. None if it does not take paths. */
export function wordsBesidePaths(option: Option): string[] {
  return isPath(option) ? alternativesIn(option.flags).filter((alternative) => !isPathName(alternative)) : [];
}

/** Returns true if an option takes paths, and a value is not one of the words that it takes besides them. */
function isPathValue(option: Option, text: string): boolean {
  const words = wordsBesidePaths(option);
  // As in `readSeed`: if the option also takes names, only text with a dot or a slash is a path.
  const takesNames = words.some((word) => word !== '-');
  return isPath(option) && (takesNames ? /[./\\]/.test(text) : !words.includes(text));
}

/** Lists the alternatives for the value in `flags`: `file` and `-` in `--json <file|->`. */
function alternativesIn(flags: string): string[] {
  return /<(.+)>/.exec(flags)?.[1]?.split('|') ?? [];
}

/** Lists the options of a command that a configuration file can set. @public for the script that writes the schema */
export function configurableOptions(command: Command): Option[] {
  return command.options.filter((option) => !option.negate && !notInFile.includes(option.name()));
}

/**
 * Returns the keys of a configuration file: a section for each command that has no subcommands, and the shared options.
 * @public for the script that writes the schema
 */
export function sectionsOf(program: Command): { shared: Map<string, Option>; sections: Map<string, Command> } {
  const all = (command: Command): Option[] => [...command.options, ...command.commands.flatMap(all)];
  const options = all(program).filter((option) => isShared(option) && !notInFile.includes(option.name()));
  const commands = program.commands.filter(
    (command) => command.commands.length === 0 && configurableOptions(command).length > 0,
  );
  return {
    shared: new Map(options.map((option) => [option.name(), option])),
    sections: new Map(commands.map((command) => [command.name(), command])),
  };
}

/**
 * Makes a program and its commands read options that are not on the command line from environment variables and a file,
 * and list the variables in help.
 */
export function addConfigurationSources(command: Command, file?: ConfigFile): void {
  const commandPath = [command, ...ancestorsOf(command)];
  command.configureHelp({
    ...command.configureHelp(),
    optionDescription(option) {
      const owner = commandPath.find(({ options }) => options.includes(option));
      const names = owner ? variablesOf(option, owner) : [];
      const text = Help.prototype.optionDescription.call(this, option).replace(' (default: [])', '');
      return names.length === 0 ? text : `${text} (env: ${names.join(', ')})`;
    },
  });
  const parseOptions = command.parseOptions.bind(command);
  // Called once for each command, before commander looks for missing and conflicting options.
  command.parseOptions = (words) => {
    const parsed = parseOptions(words);
    for (const option of command.options) readFromEnvironmentOrFile(command, option, file);
    return parsed;
  };
  for (const subcommand of command.commands) addConfigurationSources(subcommand, file);
}

function ancestorsOf(command: Command): Command[] {
  return command.parent ? [command.parent, ...ancestorsOf(command.parent)] : [];
}

/** The variable or the key of a file that sets an option. */
interface Setting {
  readonly source: 'variable' | 'file';
  /** Name in messages: `variable BILLING_SIM_URL`, or the key in quotes. */
  readonly name: string;
  /** Name at the beginning of messages, with the path of the file. */
  readonly place: string;
  /** @throws InvalidArgumentError */
  read(): unknown;
}

/** Sets an option from a variable or the file, unless the command line has set it. */
function readFromEnvironmentOrFile(command: Command, option: Option, file?: ConfigFile): void {
  const source = command.getOptionValueSource(option.attributeName());
  if (option.negate || (source !== undefined && source !== 'default')) return;
  const setting = findSetting(command, option, file);
  if (setting === undefined) return;
  try {
    setValue(command, option, setting, file);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    command.error(`error: ${setting.place}: ${error.message}`, { code: 'commander.invalidArgument' });
  }
}

/** Finds the variable or, if there is none, the key of the file that sets an option. */
function findSetting(command: Command, option: Option, file: ConfigFile | undefined): Setting | undefined {
  for (const variable of variablesOf(option, command)) {
    const text = process.env[variable];
    if (text === undefined) continue;
    // CI systems pass an unset secret, such as `BILLING_TOKEN`, as an empty string. Other empty variables are errors.
    if (text === '' && !variable.startsWith('BILLING_SIM_')) continue;
    const name = `variable ${variable}`;
    return { source: 'variable', name, place: name, read: () => readVariable(option, variable, text) };
  }
  const entry = file && entryOf(file, option, command);
  if (!entry) return undefined;
  const name = quote(entry.key);
  const read = (): unknown => readFileValue(option, entry.value, file.path);
  return { source: 'file', name, place: `${file.path}: ${name}`, read };
}

/** Returns the value of an option that a variable or the file sets; undefined if there is none, or it is invalid. */
export function configuredValue(command: Command, option: Option, file: ConfigFile | undefined): unknown {
  try {
    return findSetting(command, option, file)?.read();
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}

/**
 * Sets a value, and resets conflicting options that a source of lower precedence has set. Does nothing if a source of
 * higher precedence has set a conflicting option.
 * @throws InvalidArgumentError if the value is invalid, or a conflicting option was set by the same source
 */
function setValue(command: Command, option: Option, { source, read }: Setting, file: ConfigFile | undefined): void {
  const value = read();
  // An empty list in the file leaves the default of the option.
  if (value === undefined) return;
  // `false` leaves an option unset. Only an option with a `--no-…` form is set to `false`.
  if (value === false && !command.options.some((other) => other.negate && isNegationOf(other, option))) {
    command.setOptionValueWithSource(option.attributeName(), undefined, source);
    return;
  }
  /** Sources of values, in increasing precedence. */
  const precedence = ['file', 'variable', 'cli'];
  const conflicting = command.options.filter((other) => conflictsWith(other, option) || conflictsWith(option, other));
  for (const other of conflicting) {
    const key = other.attributeName();
    if (command.getOptionValue(key) === undefined) continue;
    const otherSource = command.getOptionValueSource(key) ?? '';
    if (precedence.indexOf(otherSource) > precedence.indexOf(source)) return;
    if (otherSource === source)
      throw new InvalidArgumentError(`cannot be used with ${findSetting(command, other, file)?.name}`);
    if (precedence.includes(otherSource)) command.setOptionValueWithSource(key, other.defaultValue, 'default');
  }
  command.setOptionValueWithSource(option.attributeName(), value, source);
}

/** Returns true if an option is the `--no-…` form of another one. */
function isNegationOf(negated: Option, option: Option): boolean {
  return negated.attributeName() === option.attributeName();
}

/** Returns true if an option conflicts with another one. Commander keeps this in a property that its types omit. */
function conflictsWith(option: Option, other: Option): boolean {
  const names = memberOf(option, 'conflictsWith');
  return Array.isArray(names) && names.includes(other.attributeName());
}

/** @throws InvalidArgumentError */
function readVariable(option: Option, variable: string, text: string): unknown {
  if (text === '') throw new InvalidArgumentError('is empty; give it a value or unset it');
  if (!option.isBoolean()) {
    // A variable that several commands share, such as `BILLING_TOKEN`, has a single value.
    const isList = variable.startsWith('BILLING_SIM_') && (option.variadic || isRepeatable(option));
    const values = isList ? text.split(',').map((item) => item.trim()) : [text];
    if (values.includes('')) throw new InvalidArgumentError('has an empty item; remove the comma next to it');
    return readValues(option, values);
  }
  if (['true', '1'].includes(text)) return true;
  if (['false', '0'].includes(text)) return false;
  throw new InvalidArgumentError(`expected true, false, 1 or 0, not ${quote(text)}`);
}

/** @throws InvalidArgumentError */
function readFileValue(option: Option, value: unknown, file: string): unknown {
  if (option.isBoolean()) {
    if (typeof value !== 'boolean') throw new InvalidArgumentError('must be true or false');
    return value;
  }
  const isList = option.variadic || isRepeatable(option);
  const values = isList ? [value].flat() : [value];
  const texts = values.map((item) => {
    if (typeof item !== 'string' && typeof item !== 'number') {
      throw new InvalidArgumentError(`must be a string or a number${isList ? ', or a list of them' : ''}`);
    }
    const text = String(item);
    if (text === '') throw new InvalidArgumentError(emptyValueProblem);
    return isPathValue(option, text) ? resolve(dirname(file), text) : text;
  });
  return readValues(option, texts);
}

/** Parses values as commander parses those on the command line. @throws InvalidArgumentError */
function readValues(option: Option, texts: readonly string[]): unknown {
  return texts.reduce<unknown>((earlier, text) => {
    if (option.parseArg) {
      try {
        return option.parseArg(text, earlier);
      } catch (error) {
        if (!(error instanceof InvalidArgumentError)) throw error;
        throw new InvalidArgumentError(`${quote(text)} is not valid; ${error.message}`);
      }
    }
    return option.variadic ? [...(Array.isArray(earlier) ? earlier : []), text] : text;
  }, undefined);
}

/** Finds the value of an option in a file, and its key; undefined if the file does not set the option. */
function entryOf(
  { settings }: ConfigFile,
  option: Option,
  command: Command,
): { readonly key: string; readonly value: unknown } | undefined {
  const path = pathOf(command);
  const name = option.name();
  const section = path.length === 1 ? settings[path[0] ?? ''] : undefined;
  if (isRecord(section) && section[name] !== undefined) return { key: `${path[0]}.${name}`, value: section[name] };
  if (isShared(option) && settings[name] !== undefined) return { key: name, value: settings[name] };
  return undefined;
}

/**
 * Checks every key and value of a file, including the sections of other commands.
 * @param program must have all commands loaded
 * @throws CommandError that names the file and the key
 */
export function checkConfigFile({ path, settings }: ConfigFile, program: Command): void {
  const { shared, sections } = sectionsOf(program);
  const check = (keyPath: string, option: Option, value: unknown): void => {
    try {
      readFileValue(option, value, path);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new CommandError(`${path}: ${quote(keyPath)}: ${error.message}`);
    }
  };
  for (const [key, value] of Object.entries(settings)) {
    // Editors find the schema by this key.
    if (key === '$schema') continue;
    const option = shared.get(key);
    const section = sections.get(key);
    if (option) check(key, option, value);
    else if (!section) throw new CommandError(`${path}: unknown key ${quote(key)}${hintFor(key, shared, sections)}`);
    else if (!isRecord(value)) throw new CommandError(`${path}: ${quote(key)}: must be a mapping of options`);
    else {
      const options = new Map(configurableOptions(section).map((each) => [each.name(), each]));
      for (const [name, setting] of Object.entries(value)) {
        const keyPath = `${key}.${name}`;
        const sectionOption = options.get(name);
        if (!sectionOption)
          throw new CommandError(`${path}: unknown key ${quote(keyPath)}${didYouMean(name, [...options.keys()])}`);
        check(keyPath, sectionOption, setting);
      }
    }
  }
}

/** Returns the section that an unknown key belongs in, or a similar key, as the end of an error message. */
function hintFor(key: string, shared: ReadonlyMap<string, Option>, sections: ReadonlyMap<string, Command>): string {
  const owners = [...sections].filter(([, command]) =>
    configurableOptions(command).some((option) => option.name() === key),
  );
  if (owners.length > 0) return `; it belongs in the section ${disjunction(owners.map(([name]) => quote(name)))}`;
  return didYouMean(key, [...shared.keys(), ...sections.keys()]);
}
