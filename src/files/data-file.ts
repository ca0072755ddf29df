import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { SchemaOptions } from 'yaml';
import { errorMessage, unreadableReason } from '../lib/errors.js';
import { decodeText, parseJson } from '../lib/json.js';
import { quote } from '../lib/messages.js';
import { repeatedKeys } from '../lib/repeated-keys.js';
import { UserError } from '../lib/user-error.js';

/** Thrown for a file that cannot be read or has invalid contents. */
export class FileError extends UserError {
  override readonly name = 'FileError';
}

/** Contents of a JSON or YAML file. */
export interface DataFile {
  readonly value: unknown;
  /**
   * Builds the error about a part of the value, such as `seed.yaml:7: currency: …`.
   * @param keys keys and indexes of the part; for a missing part, the error names the line of the closest existing
   * parent
   */
  readonly errorAt: (keys: readonly string[], message: string) => Promise<FileError>;
}

/** Reads a JSON or YAML file. @throws FileError */
export async function readDataFile(path: string): Promise<DataFile> {
  let text: string;
  try {
    text = decodeText(readFileSync(path));
  } catch (error) {
    throw unreadableFileError(path, error);
  }
  return {
    value: await parseData(text, path),
    errorAt: async (keys, message) => new FileError(`${path}:${await lineIn(text, keys)}: ${message}`),
  };
}

async function parseData(text: string, path: string): Promise<unknown> {
  const isJson = extname(path) === '.json';
  let value: unknown;
  try {
    value = isJson ? parseJson(text) : await parseYaml(text);
  } catch (error) {
    throw new FileError(`cannot parse ${path}: ${parseErrorReason(error)}`);
  }
  // The parser of YAML refuses repeated keys, that of JSON ignores all but the last one.
  const [repeated] = isJson ? repeatedKeys(text, { inArrays: true }) : [];
  if (repeated) throw new FileError(`${path}:${repeated.line}: the key ${quote(repeated.key)} is repeated`);
  return value;
}

/** Options of the YAML parser that restrict a file to the values of JSON: no dates, sets or merge keys. */
export const jsonValuesOnly = { schema: 'core', resolveKnownTags: false, stringKeys: true } as const;

/**
 * Parses a YAML document. A warning of the parser, such as one about an unknown tag, is an error, too, because the file
 * then means something else than its author intended.
 * @throws Error whose message `parseErrorReason` shortens
 */
export async function parseYaml(text: string, options?: SchemaOptions): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { ...jsonValuesOnly, ...options });
  const [problem] = [...document.errors, ...document.warnings];
  // The parser's message tells developers to use another function.
  if (problem?.code === 'MULTIPLE_DOCS')
    throw new Error('`---` begins another document, but the file must have only one');
  if (problem) throw problem;
  return document.toJS();
}

/**
 * Returns the reason why a file could not be parsed, in one line. Of an error of the YAML parser, that is the first line
 * of the message: on the lines after it, the parser quotes the whole line of the file, which may contain tokens. The JSON
 * parser quotes only some ten characters on either side of the error, but these may include line breaks.
 */
export function parseErrorReason(error: unknown): string {
  const message = errorMessage(error);
  return error instanceof SyntaxError ? message.replace(/\s+/g, ' ') : message.replace(/:?\n.*/s, '');
}

/** Line of a part of a valid JSON or YAML text. JSON is parsed as YAML to get its line numbers. */
async function lineIn(text: string, keys: readonly string[]): Promise<number> {
  const yaml = await import('yaml');
  const { lineAt } = await import('./yaml-lines.js');
  const lines = new yaml.LineCounter();
  try {
    return lineAt(
      yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false }),
      lines,
      keys,
    );
  } catch (error) {
    // The YAML parser is recursive, and overflows the stack for a deep value. The file must be JSON, because
    // `parseData` has already rejected such a YAML file. The line is unknown then.
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** Creates the error about a file that cannot be read. @param error error of the file system */
export function unreadableFileError(path: string, error: unknown): FileError {
  return new FileError(`cannot read ${path}: ${unreadableReason(error)}`);
}
