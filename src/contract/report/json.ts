import type { Report } from './report.js';

/** Formats a report as JSON with one line for each clause, because full indentation would make it a third larger. */
export function jsonReport(report: Report): string {
  const fields = Object.entries(report).map(
    ([name, value]: [string, unknown]) => `${JSON.stringify(name)}: ${formatField(value)}`,
  );
  return `{\n  ${fields.join(',\n  ')}\n}`;
}

function formatField(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n    ${value.map((item) => JSON.stringify(item)).join(',\n    ')}\n  ]`;
}
