import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Tags } from 'yaml';
import { parseErrorReason, parseYaml } from '../../files/data-file.js';
import { errorMessage, noSuchFile, unreadableReason } from '../../lib/errors.js';
import { importFile } from '../../lib/import-file.js';
import { decodeText, isRecord } from '../../lib/json.js';
import { quote, shortenToLine } from '../../lib/messages.js';
import { CommandError } from './command-error.js';

/** Names by which a configuration file in the working directory is found. */
export const configFileNames = ['json', 'yaml', 'mjs'].map((extension) => `billing-sim.config.${extension}`);

/** Names that would be ignored silently, although they are probably meant. */
const unreadConfigFileNames = ['yml', 'js', 'cjs', 'ts', 'mts'].map((extension) => `billing-sim.config.${extension}`);

export interface ConfigFile {
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Reads the configuration file at a path, by default the one in the working directory, if there is any.
 * @throws CommandError if it cannot be read or parsed, if it gives a key twice, or if the working directory contains
 * several, or only one with a name that is not read
 */
export async function readConfigFile(givenPath: string | undefined): Promise<ConfigFile | undefined> {
  const path = givenPath ?? findFile();
  if (path === undefined) return undefined;
  let settings: unknown;
  try {
    settings = await parseFile(path);
  } catch (error) {
    throw new CommandError(`${path}: ${shortenToLine(errorMessage(error), 200)}`);
  }
  if (settings === null) return { path, settings: {} };
  if (!isRecord(settings)) throw new CommandError(`${path}: must be a mapping of sections`);
  return { path, settings: withFlagNames(path, settings) };
}

function findFile(): string | undefined {
  const found = configFileNames.filter((name) => existsSync(name));
  if (found.length > 1) throw new CommandError(`${found.join(' and ')} are present; keep only one of them`);
  const unread = found.length === 0 ? unreadConfigFileNames.find((name) => existsSync(name)) : undefined;
  if (unread !== undefined) {
    throw new CommandError(
      `${unread} is not read; use billing-sim.config.json, .yaml or .mjs, or name another file with --config`,
    );
  }
  return found[0];
}

/** @throws Error that says what to do */
function readText(path: string): string {
  try {
    return decodeText(readFileSync(path));
  } catch (error) {
    throw new Error(unreadableReason(error));
  }
}

async function parseFile(path: string): Promise<unknown> {
  if (['.mjs', '.js'].includes(extname(path))) {
    if (!existsSync(path)) throw new Error(noSuchFile);
    const module = await importFile(path);
    if (isRecord(module) && isRecord(module['default'])) return module['default'];
    throw new Error('must have an object as its default export');
  }
  const text = readText(path);
  try {
    return await parseYaml(text, { customTags: withoutNumbers });
  } catch (error) {
    // The file may contain tokens, which must not be quoted.
    throw new Error(parseErrorReason(error));
  }
}

/**
 * Removes the tags of numbers, so that numbers are read as they are written, like values on the command line: a token
 * may be `00042`.
 */
function withoutNumbers(tags: Tags): Tags {
  const numberTags = ['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float'];
  return tags.filter((tag) => typeof tag === 'string' || !numberTags.includes(tag.tag));
}

/**
 * Converts keys such as `allowHost` to the form of flags: `allow-host`.
 * @param section begins the names of keys in messages: `start.` or nothing
 * @throws CommandError for a key that is given in both forms
 */
function withFlagNames(
  path: string,
  settings: Readonly<Record<string, unknown>>,
  section = '',
): Record<string, unknown> {
  const converted = new Map<string, unknown>();
  for (const [key, value] of Object.entries(settings)) {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (converted.has(name)) {
      const problem = 'is given twice, with hyphens and in camel case; keep only one of them';
      throw new CommandError(`${path}: ${quote(`${section}${name}`)}: ${problem}`);
    }
    converted.set(name, isRecord(value) ? withFlagNames(path, value, `${section}${name}.`) : value);
  }
  return Object.fromEntries(converted);
}
