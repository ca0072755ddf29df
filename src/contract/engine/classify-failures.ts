import { isError } from '../../lib/errors.js';
import { UserError } from '../../lib/user-error.js';
import { DriverError } from '../drivers/driver.js';
import { driversThatThrew } from '../drivers/load-driver.js';
import type { Redact } from '../report/redact.js';

/** Failures of a run other than violations, each as a single line, without duplicates. */
export interface ClassifiedFailures {
  /** Failures whose cause a tester can fix. */
  readonly problems: readonly { readonly line: string; readonly driver?: string }[];
  /** Failures of the suite itself. */
  readonly crashes: readonly string[];
}

/**
 * Sorts failures, among them uncaught errors, into problems whose cause a tester can fix, and crashes of the suite.
 * @param drivers the drivers of the run; only those in files can be recognized in a stack
 */
export function classifyFailures(
  failures: readonly unknown[],
  drivers: readonly unknown[],
  redact: Redact,
): ClassifiedFailures {
  const files = new Set(drivers.flatMap((driver) => (typeof driver === 'string' && driver !== 'none' ? [driver] : [])));
  const problems = new Map<string, ClassifiedFailures['problems'][number]>();
  const crashes = new Set<string>();
  for (const failure of failures) {
    const error = isError(failure) ? failure : new Error(String(failure));
    const line = redact(error.message).replace(/\s+/g, ' ');
    if (error instanceof UserError || error instanceof DriverError) {
      problems.set(line, { line });
      continue;
    }
    const throwers = driversThatThrew([...files], error.stack ?? '');
    if (throwers.length === 0) crashes.add(`${error.name}: ${line}`);
    for (const driver of throwers) {
      const driverLine = `the driver ${driver} failed: ${line}`;
      problems.set(driverLine, { line: driverLine, driver });
    }
  }
  return { problems: [...problems.values()], crashes: [...crashes] };
}
