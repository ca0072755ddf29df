import { isRecord } from '../lib/json.js';
import { type Choices, ProfileError, resolveProfile } from '../openapi/profile.js';
import { readDataFile } from './data-file.js';

/** Reads and validates the choices of a profile file. @throws FileError */
export async function readChoices(path: string): Promise<Choices> {
  const { value, errorAt } = await readDataFile(path);
  if (!isRecord(value)) {
    throw await errorAt([], 'a profile must map gaps to choices, for example `list.order: oldest-first`');
  }
  try {
    // Only validates the choices; the caller needs them as written.
    resolveProfile(value);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    throw await errorAt(error.path, error.message);
  }
  return value;
}
