import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { components } from '../generated/control-validated-types.js';
import { traceHtml } from '../text/trace-html.js';

/** Writes a trace as an HTML page, or as JSON if the path ends with `.json`. */
export async function saveTrace(path: string, trace: components['schemas']['Trace']): Promise<void> {
  const isJson = extname(path).toLowerCase() === '.json';
  await writeFile(path, isJson ? `${JSON.stringify(trace, null, 2)}\n` : traceHtml(trace));
}
