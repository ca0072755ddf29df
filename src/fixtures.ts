import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Choices } from './http/profile.js';
import type { Seed } from './simulation/seed.js';

/** A file that was asked for cannot be read, or does not hold what it should. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The same folder from `src` and from `dist`. */
const folder = fileURLToPath(new URL('../fixtures/accounts/', import.meta.url));

/** The seed of a name (`demo`, `empty`) or of a JSON or YAML file. @throws FileError */
export async function readSeed(name: string): Promise<Seed> {
  const shipped = /^[a-z]+$/.test(name);
  const path = shipped ? `${folder}${name}.json` : name;
  const value = await readData(
    path,
    shipped ? 'there are the seeds demo and empty, or name a file such as ./seed.json' : '',
  );
  // Loaded here only, since Ajv's error texts are of use for nothing else.
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  const isSeed = ajv.compile<Seed>(JSON.parse(readFileSync(`${folder}seed.schema.json`, 'utf8')));
  if (!isSeed(value)) throw new FileError(`${path} is no seed: ${ajv.errorsText(isSeed.errors, { dataVar: 'it' })}`);
  return value;
}

/** The choices of a profile file. Whether there are such gaps and choices is for `resolveProfile` to say. @throws FileError */
export async function readChoices(path: string): Promise<Choices> {
  const value = await readData(path, '');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FileError(`${path} is no profile: it must map gaps to choices, such as \`list.order: oldest-first\``);
  }
  return Object.fromEntries(Object.entries(value));
}

async function readData(path: string, advice: string): Promise<unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileError(`${path} cannot be read (${reason})${advice && `; ${advice}`}`);
  }
  try {
    if (extname(path) === '.json') return JSON.parse(text);
    const { parse } = await import('yaml');
    return parse(text);
  } catch (error) {
    throw new FileError(`${path} cannot be parsed: ${error instanceof Error ? error.message : error}`);
  }
}
