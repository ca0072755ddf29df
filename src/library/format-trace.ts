import { extname } from 'node:path';
import type { components } from '../generated/control-validated-types.js';
import { traceHtml } from '../text/trace-html.js';

/** Returns the contents of a file with a trace: JSON if the path ends with `.json`, otherwise an HTML page. */
export function formatTrace(path: string, trace: components['schemas']['Trace']): string {
  const isJson = extname(path).toLowerCase() === '.json';
  return isJson ? `${JSON.stringify(trace, null, 2)}\n` : traceHtml(trace);
}
