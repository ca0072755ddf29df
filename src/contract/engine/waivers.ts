import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isRecord } from '../../lib/is-record.js';
import { CannotRun } from './cannot-run.js';

/** A known violation that is accepted for a time. */
export interface Waiver {
  readonly clause: string;
  readonly reason: string;
  /** Last day on which it applies, `YYYY-MM-DD`. */
  readonly until: string;
}

/**
 * Reads waivers from a YAML file: a list of clause, reason and until.
 * @param known ids of all clauses
 * @throws CannotRun
 */
export function readWaivers(file: string, known: readonly string[]): Waiver[] {
  const refuse = (reason: string): CannotRun => new CannotRun(`the waivers ${file}: ${reason}`);
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'), { schema: 'core', logLevel: 'error' });
  } catch (error) {
    throw refuse(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  if (value === null) return [];
  if (!Array.isArray(value)) throw refuse('it must be a list of entries with clause, reason and until');
  const waivers = value.map((item: unknown, index) => {
    const fail = (reason: string): CannotRun => refuse(`entry ${index + 1}: ${reason}`);
    if (!isRecord(item)) throw fail('it must have clause, reason and until');
    const { clause, reason, until, ...others } = item;
    const [stray] = Object.keys(others);
    if (stray !== undefined) throw fail(`unknown key \`${stray}\`; the keys are clause, reason and until`);
    if (typeof clause !== 'string' || !known.includes(clause)) throw fail(`unknown clause ${clause}; see --list`);
    if (typeof reason !== 'string' || reason.trim() === '') throw fail('`reason` must not be empty');
    if (typeof until !== 'string' || !isDay(until)) throw fail('`until` must be a date, such as 2027-01-31');
    return { clause, reason, until };
  });
  const twice = waivers.find(({ clause }, index) => waivers.findIndex((other) => other.clause === clause) !== index);
  if (twice) throw refuse(`${twice.clause} is waived twice`);
  return waivers;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}
