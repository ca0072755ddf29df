import type { ReminderTexts } from './reminder-texts.js';
import { sender } from './sender.js';

/** A reminder as plain text. */
export function reminderText({ greeting, summary, facts, items, payUrl, amountDue }: ReminderTexts): string {
  const labelWidth = widest(facts.map(([label]) => label)) + 1;
  const blocks = [
    greeting,
    summary,
    facts.map(([label, value]) => `${`${label}:`.padEnd(labelWidth)}  ${value}`).join('\n'),
    payUrl === null
      ? 'A payment is already under way, so there is nothing for you to do now.'
      : `Pay ${amountDue} here:\n${payUrl}`,
    ...(items.length === 0 ? [] : [itemTable(items)]),
    `Kind regards,\n${sender.name}`,
  ];
  // Must not wrap, and must match a search for `CHF 12`.
  return `${blocks.join('\n\n').replaceAll('\u00a0', ' ')}\n`;
}

/**
 * Puts the description on a line of its own: it may be long or have double-width letters, and the numbers must stay
 * aligned.
 */
function itemTable(items: ReminderTexts['items']): string {
  const head = { description: 'Description', quantity: 'Quantity', unitPrice: 'Unit price', total: 'Total' };
  const rows = [head, ...items];
  const widths = {
    quantity: widest(rows.map((row) => row.quantity)),
    unitPrice: widest(rows.map((row) => row.unitPrice)),
    total: widest(rows.map((row) => row.total)),
  };
  const [first = '', ...rest] = rows.map((row) => {
    const figures = [
      row.quantity.padStart(widths.quantity),
      row.unitPrice.padStart(widths.unitPrice),
      row.total.padStart(widths.total),
    ];
    return `${row.description}\n  ${figures.join('   ')}`;
  });
  const rule = '-'.repeat(widths.quantity + widths.unitPrice + widths.total + 8);
  return [first, rule, ...rest].join('\n');
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}
