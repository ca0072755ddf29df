import { aDate } from '../../contract/predicates/matchers.js';
import type { Waiver } from '../../contract/report/clause-report.js';
import { readDataFile } from '../../files/data-file.js';
import { isRecord } from '../../lib/json.js';
import { CommandError } from '../support/command-error.js';

/**
 * Reads waivers from a YAML or JSON file: a list of entries with `clause`, `reason` and `until`.
 * @param clauseIds ids of all clauses
 * @throws FileError, CommandError
 */
export async function readWaivers(file: string, clauseIds: readonly string[]): Promise<Waiver[]> {
  const errorFor = (reason: string): CommandError => new CommandError(`the waivers ${file}: ${reason}`);
  const { value } = await readDataFile(file);
  // An empty file has the value null.
  if (value === null) return [];
  if (!Array.isArray(value)) throw errorFor('it must be a list of entries with clause, reason and until');
  const waivers = value.map((item: unknown, index) => {
    const entryError = (reason: string): CommandError => errorFor(`entry ${index + 1}: ${reason}`);
    if (!isRecord(item)) throw entryError('it must have clause, reason and until');
    const { clause, reason, until, ...unknownFields } = item;
    const [unknownField] = Object.keys(unknownFields);
    if (unknownField !== undefined)
      throw entryError(`unknown key \`${unknownField}\`; the keys are clause, reason and until`);
    if (typeof clause !== 'string' || !clauseIds.includes(clause))
      throw entryError(`unknown clause ${clause}; see --list`);
    if (typeof reason !== 'string' || reason.trim() === '')
      throw entryError('`reason` must be a string that is not empty; put a number in quotes');
    if (typeof until !== 'string' || !aDate.matches(until))
      throw entryError('`until` must be a date, such as 2027-01-31');
    return { clause, reason, until };
  });
  const duplicate = waivers.find(
    ({ clause }, index) => waivers.findIndex((other) => other.clause === clause) !== index,
  );
  if (duplicate) throw errorFor(`${duplicate.clause} is waived twice`);
  return waivers;
}
