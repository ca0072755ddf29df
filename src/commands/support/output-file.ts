import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorMessage } from '../../lib/errors.js';
import { makeFolder } from '../../lib/make-folder.js';
import { CommandError } from './command-error.js';

/** Writes a file, and creates its folder if that does not exist. @throws CommandError if the file cannot be written */
export async function writeOutputFile(file: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeFile(file, text);
  } catch (error) {
    throw cannotWriteError(file, error);
  }
}

/** @param name how the message names the file */
export function cannotWriteError(name: string, error: unknown): CommandError {
  return new CommandError(`cannot write ${name}: ${errorMessage(error)}`);
}
