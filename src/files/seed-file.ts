import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Seed } from '../domain/seed.js';
import { demo } from '../generated/seed-demo.js';
import { empty } from '../generated/seed-empty.js';
import { errorMessage } from '../lib/error-message.js';
import { isRecord, parseJson } from '../lib/json.js';
import { readSchema } from '../lib/read-schema.js';
import { strictAjv } from '../lib/strict-ajv.js';
import { UserError } from '../lib/user-error.js';
import type { Choices } from '../openapi/profile.js';

/** Thrown for a file that cannot be read or has invalid contents. */
export class FileError extends UserError {
  override readonly name = 'FileError';
}

/** Reads a built-in seed (`demo`, `empty`) or a JSON or YAML file. @throws FileError */
export async function readSeed(name: string): Promise<Seed> {
  if (name === 'demo') return demo;
  if (name === 'empty') return empty;
  // The path of a file has a dot or a slash; any other word is probably a misspelled built-in seed.
  if (!/[./\\]/.test(name)) {
    throw new FileError(`unknown seed ${name}; use demo, empty or the path of a file, for example ./${name}.json`);
  }
  return seedOf(await readData(name), name);
}

/** Validates a seed; `name` identifies it in messages. @throws FileError */
export function seedOf(value: unknown, name: string): Seed {
  compiled ??= compileSeedSchema();
  const { isSeed, ajv } = compiled;
  if (isSeed(value)) return value;
  throw new FileError(`${name} is not a valid seed: ${ajv.errorsText(isSeed.errors, { dataVar: 'it' })}`);
}

let compiled: ReturnType<typeof compileSeedSchema> | undefined;

function compileSeedSchema() {
  const ajv = strictAjv();
  return { ajv, isSeed: ajv.compile<Seed>(readSchema('fixtures/accounts/seed.schema.json')) };
}

/** Reads the choices of a profile file. `resolveProfile` validates them. @throws FileError */
export async function readChoices(path: string): Promise<Choices> {
  const value = await readData(path);
  if (!isRecord(value)) {
    throw new FileError(
      `${path} is not a valid profile: it must map gaps to choices, for example \`list.order: oldest-first\``,
    );
  }
  return value;
}

async function readData(path: string): Promise<unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = errorMessage(error);
    throw new FileError(`cannot read ${path}: ${reason}`);
  }
  try {
    if (extname(path) === '.json') return parseJson(text);
    const { parse } = await import('yaml');
    return parse(text);
  } catch (error) {
    // In the other lines, the YAML parser quotes the invalid part of the file.
    const [reason] = errorMessage(error).split(/:?\n/);
    throw new FileError(`cannot parse ${path}: ${reason}`);
  }
}
