import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { parse } from 'yaml';
import { didYouMean } from '../../lib/did-you-mean.js';
import { errorMessage } from '../../lib/error-message.js';
import { oneLine, quote } from '../../lib/messages.js';
import { CommandError } from '../support/command-error.js';

/** Options that a configuration file cannot set. */
const commandLineOnly = ['config', 'list', 'dry-run', 'resume', 'no-write', 'force'];

/** Options that are paths; in a configuration file, relative to that file. */
const pathOptions = ['driver', 'waivers', 'json', 'junit', 'html', 'output'];

/** Values of these options that are not paths. */
const nonPathValues = ['none', '-'];

/**
 * Applies the options of a configuration file, unless they were given as flags or environment variables.
 * @param path YAML or JSON
 * @throws CommandError
 */
export function applyConfig(command: Command, path: string): void {
  const options = new Map<string, Option>();
  for (const option of command.options) {
    const name = option.long?.slice(2) ?? '';
    if (!commandLineOnly.includes(name)) options.set(name, option);
  }
  for (const [name, value] of settingsIn(path)) {
    const option = options.get(name);
    if (!option) throw refusal(path, `unknown key ${quote(name)}${didYouMean(name, [...options.keys()])}`);
    const key = option.attributeName();
    const source = command.getOptionValueSource(key);
    if (source === 'cli' || source === 'env') continue;
    try {
      const setting = readSetting(option, value);
      const isFile = pathOptions.includes(name) && !option.isBoolean();
      command.setOptionValueWithSource(key, isFile ? resolvePath(setting, path) : setting, 'config');
    } catch (error) {
      if (error instanceof InvalidArgumentError) throw refusal(path, `${quote(name)}: ${error.message}`);
      throw error;
    }
  }
}

/** @throws CommandError */
function settingsIn(path: string): [string, unknown][] {
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'), { schema: 'core', logLevel: 'error' });
  } catch (error) {
    throw refusal(path, oneLine(errorMessage(error), 200));
  }
  if (value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw refusal(path, 'must be a mapping of options');
  return Object.entries(value);
}

/** Parses a value as the option itself would. @throws InvalidArgumentError */
function readSetting(option: Option, value: unknown): unknown {
  if (option.isBoolean() || option.long === '--write') {
    if (typeof value !== 'boolean') throw new InvalidArgumentError('must be true or false');
    return value;
  }
  if (!option.variadic) return readText(option, value, undefined);
  return [value].flat().reduce<unknown>((before, item) => readText(option, item, before), undefined);
}

function readText({ parseArg, variadic }: Option, value: unknown, before: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new InvalidArgumentError('must be a string or a number');
  const text = String(value);
  if (parseArg) return parseArg(text, before);
  return variadic ? [...(Array.isArray(before) ? before : []), text] : text;
}

function resolvePath(setting: unknown, path: string): unknown {
  const text = String(setting);
  return nonPathValues.includes(text) ? text : resolve(dirname(path), text);
}

function refusal(path: string, reason: string): CommandError {
  return new CommandError(`configuration ${path}: ${reason}`);
}
