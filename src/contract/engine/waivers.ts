import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isError } from '../../lib/is-error.js';
import { isRecord } from '../../lib/json.js';
import { aDate } from '../predicates/matchers.js';
import { CannotRun } from './cannot-run.js';
import { checkFileExists } from './check-file-exists.js';

/** Entry of a waivers file: accepts a known violation until a date. */
export interface Waiver {
  /** Id of the violated clause. */
  readonly clause: string;
  readonly reason: string;
  /** Last day on which the waiver applies, `YYYY-MM-DD`. */
  readonly until: string;
}

/**
 * Reads waivers from a YAML file: a list of entries with `clause`, `reason` and `until`.
 * @param clauseIds ids of all clauses
 * @throws CannotRun
 */
export function readWaivers(file: string, clauseIds: readonly string[]): Waiver[] {
  const name = `the waivers ${file}`;
  checkFileExists(file, name);
  const errorFor = (reason: string): CannotRun => new CannotRun(`${name}: ${reason}`);
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'), { schema: 'core', logLevel: 'error' });
  } catch (error) {
    throw errorFor(isError(error) ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  // An empty file has the value null.
  if (value === null) return [];
  if (!Array.isArray(value)) throw errorFor('it must be a list of entries with clause, reason and until');
  const waivers = value.map((item: unknown, index) => {
    const entryError = (reason: string): CannotRun => errorFor(`entry ${index + 1}: ${reason}`);
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
