import { type ReminderContent, sender } from './reminder-content.js';

/** A reminder as plain text. */
export function reminderText({ greeting, summary, facts, items, payUrl, amountDue }: ReminderContent): string {
  const labelWidth = maxLength(facts.map(([label]) => label)) + 1;
  const blocks = [
    greeting,
    summary,
    facts.map(([label, value]) => `${`${label}:`.padEnd(labelWidth)}  ${value}`).join('\n'),
    payUrl === null
      ? 'A payment is already in progress, so there is nothing for you to do now.'
      : `Pay ${amountDue} here:\n${payUrl}`,
    ...(items.length === 0 ? [] : [itemTable(items)]),
    `Kind regards,\n${sender.name}`,
  ];
  // Some amounts contain no-break spaces. They become ordinary spaces, so that a search for `CHF 12` finds them.
  return `${blocks.join('\n\n').replaceAll('\u00a0', ' ')}\n`;
}

/**
 * A table of items. Each description is on a separate line, since a long description or double-width characters
 * would break the alignment of the numbers.
 */
function itemTable(items: ReminderContent['items']): string {
  const header = { description: 'Description', quantity: 'Quantity', unitPrice: 'Unit price', total: 'Total' };
  const rows = [header, ...items];
  const widths = {
    quantity: maxLength(rows.map((row) => row.quantity)),
    unitPrice: maxLength(rows.map((row) => row.unitPrice)),
    total: maxLength(rows.map((row) => row.total)),
  };
  const [headerLines = '', ...itemLines] = rows.map((row) => {
    const numbers = [
      row.quantity.padStart(widths.quantity),
      row.unitPrice.padStart(widths.unitPrice),
      row.total.padStart(widths.total),
    ];
    return `${row.description}\n  ${numbers.join('   ')}`;
  });
  // Two spaces before the first number and three before each of the others make eight.
  const rule = '-'.repeat(widths.quantity + widths.unitPrice + widths.total + 8);
  return [headerLines, rule, ...itemLines].join('\n');
}

/** The length of the longest string. */
function maxLength(strings: readonly string[]): number {
  return strings.reduce((width, { length }) => Math.max(width, length), 0);
}
