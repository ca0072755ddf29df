import type { Choices } from '../../openapi/profile.js';

/** Reads the file of a `--profile` option. Returns undefined if the option is not given. @throws FileError */
export async function readProfile(path: string | undefined): Promise<Choices | undefined> {
  if (path === undefined) return undefined;
  // Imported on demand, because the YAML parser is only needed with a file.
  const { readChoices } = await import('../../files/profile-file.js');
  return readChoices(path);
}
