import { isRecord, parseJson } from './json.js';
import { readPackageFile } from './read-package-file.js';

/** Reads a JSON Schema of this package. @throws Error if there is none at the path */
export function readSchema(path: string): Readonly<Record<string, unknown>> {
  const schema = parseJson(String(readPackageFile(path)));
  if (!isRecord(schema)) throw new Error(`${path} is not a JSON Schema`);
  return schema;
}
