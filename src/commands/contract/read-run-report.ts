import { readFileSync } from 'node:fs';
import type { RunReport } from '../../contract/report/run-report.js';
import { unreadableReason } from '../../lib/errors.js';
import { parseJson } from '../../lib/json.js';
import { readSchema } from '../../lib/read-schema.js';
import { describeDataError } from '../../lib/schema-errors.js';
import { CommandError } from '../support/command-error.js';

/** Reads the JSON report of a run. @throws CommandError if the file cannot be read, or is not a report */
export async function readRunReport(file: string): Promise<RunReport> {
  const { strictAjv } = await import('../../lib/strict-ajv.js');
  const isRunReport = strictAjv().compile<RunReport>(readSchema('openapi/contract-report.schema.json'));
  const report = readJson(file);
  if (isRunReport(report)) return report;
  const reason = describeDataError(isRunReport.errors, 'report');
  throw new CommandError(`--resume ${file} is not a report of a contract run: ${reason}`);
}

/** @throws CommandError */
function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`cannot read ${file}, the report given with --resume: ${unreadableReason(error)}`);
  }
  try {
    return parseJson(text);
  } catch {
    throw new CommandError(`--resume ${file} is not a report of a contract run: it is not JSON`);
  }
}
