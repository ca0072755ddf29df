import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Report } from '../../contract/report/report.js';
import { CommandError } from '../support/command-error.js';

/** Where reports are written to. */
export interface Outputs {
  /** `-` is standard output. */
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
}

/** Sees to it that a run is not made for nothing. @throws CommandError if a report cannot be written */
export function refuseUnwritable({ json, junit, html }: Outputs): void {
  for (const [name, file] of Object.entries({ json, junit, html })) {
    if (file === undefined || (name === 'json' && file === '-')) continue;
    try {
      accessSync(dirname(resolve(file)), constants.W_OK);
    } catch (error) {
      throw new CommandError(`--${name} ${file} cannot be written: ${codeOf(error)}`);
    }
  }
}

/** Prints what there is to tell: to people, or as JSON, where that goes to standard output. @throws CommandError */
export function tell(value: unknown, words: () => string, outputs: Outputs): Promise<void> {
  return print(JSON.stringify(value, null, 2), words, outputs);
}

async function print(text: string, words: () => string, { json }: Outputs): Promise<void> {
  console.log(json === '-' ? text : words());
  if (json !== undefined && json !== '-') await write(json, `${text}\n`);
}

/** Prints a report, and writes the files that are asked for. @throws CommandError */
export async function writeReports(report: Report, words: () => string, outputs: Outputs): Promise<void> {
  const { jsonReport } = await import('../../contract/report/json.js');
  await print(jsonReport(report), words, outputs);
  const { junit, html } = outputs;
  if (junit !== undefined) {
    const { junitReport } = await import('../../contract/report/junit.js');
    await write(junit, junitReport(report));
  }
  if (html !== undefined) {
    const { htmlReport } = await import('../../contract/report/html.js');
    await write(html, htmlReport(report));
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${codeOf(error)}`);
  }
}

function codeOf(error: unknown): string {
  return String(Reflect.get(Object(error), 'code') ?? error);
}
