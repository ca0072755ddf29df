import { writeFile } from 'node:fs/promises';
import { errorMessage } from '../../lib/errors.js';
import { CommandError } from './command-error.js';

/** @throws CommandError if the file cannot be written */
export async function writeOutputFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw cannotWriteError(file, error);
  }
}

/** @param name how the message names the file */
export function cannotWriteError(name: string, error: unknown): CommandError {
  return new CommandError(`cannot write ${name}: ${errorMessage(error)}`);
}
