import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Report } from '../../contract/report/report.js';
import { errorMessage } from '../../lib/errors.js';
import { makeFolder } from '../../lib/make-folder.js';
import { CommandError } from '../support/command-error.js';
import { cannotWriteError } from '../support/output-file.js';
import { printText } from '../support/style.js';
import { isReplaceable, replaceFile } from './replace-file.js';

/** Files for the reports. */
export interface Outputs {
  /** `-` is standard output. */
  readonly json?: string | undefined;
  readonly junit?: string;
  readonly html?: string;
}

/** An option with the file that it names; undefined if the option is not set. `--driver none` names no file. */
type Input = readonly [option: '--waivers' | '--resume' | '--driver', file: string | undefined];

/**
 * Checks before a run that each report has its own file, that the run does not read this file, and that its folder is
 * writable. Creates folders that do not exist. One exception: the JSON report may replace the report that the run resumes.
 * @throws CommandError if a file fails a check
 */
export async function prepareOutputs({ json, junit, html }: Outputs, inputs: readonly Input[] = []): Promise<void> {
  const flagsByPath = new Map<string, string>();
  const inputsByPath = new Map<string, string>();
  for (const [option, file] of inputs) {
    if (file !== undefined && file !== 'none') inputsByPath.set(resolve(file), option);
  }
  for (const [name, file] of Object.entries({ json, junit, html })) {
    if (file === '-' && name !== 'json')
      throw new CommandError(`--${name} - is not a file; only --json can be written to standard output`, 'usage');
    if (file === undefined || file === '-') continue;
    const path = resolve(file);
    const flag = `--${name} ${file}`;
    const otherFlag = flagsByPath.get(path);
    // Several reports may go to the same pipe or device, such as /dev/null.
    if (otherFlag !== undefined && isReplaceable(file))
      throw new CommandError(`cannot write two reports to the same file: ${otherFlag} and ${flag}`, 'usage');
    const input = inputsByPath.get(path);
    const isResumed = input === '--resume' && name === 'json';
    if (input !== undefined && !isResumed && isReplaceable(file))
      throw new CommandError(`${flag} would overwrite the ${input} file; write the report to another file`, 'usage');
    flagsByPath.set(path, flag);
    // The report that is resumed is updated, even if no --json names it.
    await prepareOutputFile(file, isResumed ? `--resume ${file}` : flag);
  }
}

/**
 * Creates the folder of a file if it does not exist, and checks that the file can be written.
 * @param name how the error names the file
 * @throws CommandError if the file is a folder, or its folder cannot be created or is not writable
 */
export async function prepareOutputFile(file: string, name: string): Promise<void> {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new CommandError(`${name} is a directory; name a file`);
    const folder = dirname(resolve(file));
    await makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw error instanceof CommandError ? error : cannotWriteError(name, error);
  }
}

/** Prints text and writes the JSON to its file, or prints only JSON if the file is `-`. @throws CommandError */
export function printResult(value: unknown, formatText: () => string, outputs: Outputs): Promise<void> {
  return printAndWrite(JSON.stringify(value, null, 2), formatText, outputs);
}

async function printAndWrite(jsonText: string, formatText: () => string, { json }: Outputs): Promise<void> {
  if (json === '-') console.log(jsonText);
  else printText(formatText());
  if (json !== undefined && json !== '-') write(json, `${jsonText}\n`);
}

/** Prints a report and writes the requested files. @throws CommandError */
export async function writeReports(report: Report, formatText: () => string, outputs: Outputs): Promise<void> {
  const { jsonReport } = await import('../../contract/report/json.js');
  await printAndWrite(jsonReport(report), formatText, outputs);
  const { junit, html } = outputs;
  if (junit !== undefined) {
    const { junitReport } = await import('../../contract/report/junit.js');
    write(junit, junitReport(report));
  }
  if (html !== undefined) {
    const { htmlReport } = await import('../../contract/report/html.js');
    write(html, htmlReport(report));
  }
}

/** Minimum time between two drafts of a report. */
const draftIntervalMs = 1_000;

/**
 * Prepares to write drafts of the JSON report during a run, so that a killed run can be resumed.
 * @returns a function to call after each clause; it creates and writes the report at most once a second
 */
export async function startDrafts({ json }: Outputs): Promise<(createReport: () => Report) => void> {
  if (json === undefined || json === '-' || !isReplaceable(json)) return () => undefined;
  const { jsonReport } = await import('../../contract/report/json.js');
  let nextDraftAt = 0;
  return (createReport) => {
    if (performance.now() < nextDraftAt) return;
    try {
      replaceFile(json, `${jsonReport(createReport())}\n`);
      nextDraftAt = performance.now() + draftIntervalMs;
    } catch (error) {
      nextDraftAt = Number.POSITIVE_INFINITY;
      console.error(`cannot write drafts of --json ${json} during the run: ${errorMessage(error)}`);
    }
  };
}

function write(file: string, text: string): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw cannotWriteError(file, error);
  }
}
