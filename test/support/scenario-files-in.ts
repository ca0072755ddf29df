import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of the YAML files in a folder, sorted by name. */
export function scenarioFilesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name));
}
