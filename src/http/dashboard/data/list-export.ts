import type { Account } from '../../../simulation/account.js';
import { maxExportedRows } from '../components/list.js';
import type { Section } from '../components/sections.js';
import type { PageContext, PageRoute } from '../routing/page.js';
import { download } from '../routing/responses.js';
import { type FieldValue, firstRows, type ListSource } from './list-rows.js';

/**
 * Creates the routes that download the first `maxExportedRows` rows of a list as CSV and as JSON, with the search and
 * the order of the page.
 */
export function createExportRoutes<Row>(
  section: Section,
  sourceOf: (account: Account) => ListSource<Row>,
): readonly PageRoute[] {
  const recordsOf = (context: PageContext): Record<string, FieldValue>[] => {
    const source = sourceOf(context.account);
    const fields = Object.entries(source.exportedFields);
    return firstRows(context.query, source, maxExportedRows).map((row) =>
      Object.fromEntries(fields.map(([name, read]) => [name, read(row)])),
    );
  };
  const fileNameOf = ({ account }: PageContext, extension: string): string => `${account.id}-${section}.${extension}`;
  return [
    [
      `/${section}.csv`,
      (context) => {
        const names = Object.keys(sourceOf(context.account).exportedFields);
        const lines = recordsOf(context).map((record) => names.map((name) => csvCell(record[name] ?? null)).join(','));
        return download(
          `${[names.join(','), ...lines].join('\r\n')}\r\n`,
          fileNameOf(context, 'csv'),
          'text/csv; charset=utf-8',
        );
      },
    ],
    [
      `/${section}.json`,
      (context) =>
        download(`${JSON.stringify(recordsOf(context), null, 2)}\n`, fileNameOf(context, 'json'), 'application/json'),
    ],
  ];
}

/**
 * A cell of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe before it, since
 * it may come from an attacker.
 */
function csvCell(value: FieldValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
