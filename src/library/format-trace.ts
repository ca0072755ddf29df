import type { components } from '../generated/control-validated-types.js';
import { traceHtml } from '../text/trace-html.js';

/** Returns the contents of a file with a trace: JSON if the path ends with `.json`, otherwise an HTML page. */
export function formatTrace(path: string, trace: components['schemas']['Trace']): string {
  return /\.json$/i.test(path) ? `${JSON.stringify(trace, null, 2)}\n` : traceHtml(trace);
}
