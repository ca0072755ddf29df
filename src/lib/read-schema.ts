import { readFileSync } from 'node:fs';
import { isRecord } from './is-record.js';
import { packageFile } from './package-file.js';
import { parseJson } from './parse-json.js';

/** Reads a JSON Schema of this package. */
export function readSchema(path: string): Readonly<Record<string, unknown>> {
  const schema = parseJson(readFileSync(packageFile(path), 'utf8'));
  if (!isRecord(schema)) throw new Error(`${path} is not a JSON Schema`);
  return schema;
}
