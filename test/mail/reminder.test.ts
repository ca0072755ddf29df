import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderReminder } from '../../src/mail/reminder.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { unicodeCharacter } from '../support/unicode-character.js';
import { createReminder, customer, invoice, payUrl } from './sample-reminder.js';

/**
 * Lists the rows of all tables of a document, with the texts of the cells separated by ` | `. Leaves out the labels
 * within cells, which only narrow screens show.
 */
function rowsOf(html: string): string[] {
  return [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    row
      .replace(/<span class="label">[^<]*<\/span>/g, '')
      .replace(/<\/t[hd]>(?=<t)/g, ' | ')
      .replace(/<[^>]*>/g, '')
      .replaceAll('\u00a0', ' '),
  );
}

/** Escapes text for HTML, independently of the code under test. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

test('a reminder before the due date has an invoice table, a payment link and a table of items', () => {
  const mail = renderReminder(createReminder());
  expect(mail.to).toBe('ada@analytical-engines.example');
  expect(mail.subject).toBe('Reminder: invoice INV-2026-0007, €1,438.50 due on 1 March 2026');
  expect(mail.text).toBe(`Dear Ada Lovelace,

This is a reminder that invoice INV-2026-0007 is due on 1 March 2026. €1,438.50 is still to be paid.

Invoice:     INV-2026-0007
Reference:   PO-1843
Due date:    1 March 2026
Amount due:  €1,438.50

Pay €1,438.50 here:
http://127.0.0.1:4010/pay/inv-2026-0007

Description
  Quantity   Unit price       Total
-----------------------------------
Consulting, February, 20% tax
        12       €95.00   €1,368.00
Travel
       1.5       €47.00      €70.50

Kind regards,
Billing
`);
  expect(rowsOf(mail.html)).toEqual([
    'Invoice | INV-2026-0007',
    'Reference | PO-1843',
    'Due date | 1 March 2026',
    'Amount due | €1,438.50',
    'Description | Quantity | Unit price | Total',
    'Consulting, February, 20% tax | 12 | €95.00 | €1,368.00',
    'Travel | 1.5 | €47.00 | €70.50',
  ]);
  expect(mail.html).toContain('<p>Dear Ada Lovelace,</p>');
  expect(mail.html).toContain(`<a class="pay" href="${payUrl}">Pay €1,438.50</a>`);
});

test.each([
  ['Arabic', 'N\u062d\u062c\u0632 \u0661\u0662'],
  ['Hebrew', '\u05d7-12'],
  ['Dhivehi', '\u0784-12'],
])('an invoice number in %s is isolated in sentences, so that the text around it keeps its order', (_, number) => {
  const { subject, text } = renderReminder(createReminder({ invoice: { invoice_number: number } }));
  const isolatedNumber = `\u2068${number}\u2069`;
  expect(subject).toBe(`Reminder: invoice ${isolatedNumber}, €1,438.50 due on 1 March 2026`);
  expect(text).toContain(`that invoice ${isolatedNumber} is due`);
});

test('a reminder for an overdue invoice says so in its subject, text and table', () => {
  const { subject, text, html } = renderReminder(createReminder({ invoice: { past_due: true, status: 'sent' } }));
  expect(subject).toBe('Overdue: invoice INV-2026-0007, €1,438.50 was due on 1 March 2026');
  for (const part of [text, html]) {
    expect(part).toContain('was due on 1 March 2026 and is overdue');
    expect(part).toContain('1 March 2026 (overdue)');
  }
});

test('a reminder for a partially paid invoice shows the total, the paid amount and the amount due', () => {
  const { subject, text, html } = renderReminder(
    createReminder({ invoice: { paid_amount: 438.49 }, outstanding: 1_000.01 }),
  );
  expect(subject).toContain('€1,000.01');
  expect(text).toContain(`Due date:       1 March 2026
Invoice total:  €1,438.50
Already paid:   €438.49
Amount due:     €1,000.01
`);
  expect(rowsOf(html)).toEqual(
    expect.arrayContaining(['Invoice total | €1,438.50', 'Already paid | €438.49', 'Amount due | €1,000.01']),
  );
});

test('a reminder for an unpaid invoice shows only the amount due', () => {
  const { text, html } = renderReminder(createReminder());
  for (const part of [text, html]) expect(part).not.toMatch(/Invoice total|Already paid/);
});

test('a reminder without a payment URL says that a payment is in progress, and has no link', () => {
  const { text, html } = renderReminder(createReminder({ payUrl: null }));
  for (const part of [text, html]) {
    expect(part).toContain('A payment is already in progress');
    expect(part).not.toMatch(/https?:|href/);
  }
});

test.each([
  ['no reference', { reference: null }],
  ['an empty reference', { reference: ' ' }],
])('an invoice with %s has no row for it', (_, fields) => {
  const { text, html } = renderReminder(createReminder({ invoice: fields }));
  for (const part of [text, html]) expect(part).not.toContain('Reference');
});

test('an invoice without items has no table of items', () => {
  const { text, html } = renderReminder(createReminder({ invoice: { items: [] } }));
  for (const part of [text, html]) expect(part).not.toContain('Unit price');
  expect(html.match(/<table/g)).toHaveLength(1);
});

test('a customer without a name gets a greeting without a name', () => {
  const { text, html } = renderReminder(createReminder({ customer: { name: ' \n' } }));
  expect(text).toMatch(/^Hello,\n/);
  expect(html).toContain('<p>Hello,</p>');
});

describe('an amount', () => {
  test.each([
    ['EUR', 1_234.5, '€1,234.50'],
    ['USD', 0.1, '$0.10'],
    ['JPY', 5_000, '¥5,000'],
    ['KWD', 1.5, 'KWD 1.500'],
    ['HUF', 12.5, 'HUF 12.50'],
    ['IQD', 1.5, 'IQD 1.500'],
    ['CHF', 90_000_000_000.01, 'CHF 90,000,000,000.01'],
    // Well-formed, but not used by any country.
    ['ZZZ', 1_234.5, 'ZZZ 1,234.50'],
    ['XXX', 2, 'XXX 2.00'],
    // An amount due may have decimal places that its currency does not have, even in yen. It is never rounded.
    ['JPY', 149.5, '¥149.5'],
  ])('in %s: %d is %s', (currency, amount, formatted) => {
    const { subject, text, html } = renderReminder(createReminder({ invoice: { currency, amount } }));
    expect(subject).toContain(` ${formatted} due on`);
    expect(text).toContain(`Amount due:  ${formatted}\n`);
    expect(rowsOf(html)).toContain(`Amount due | ${formatted}`);
  });

  test.each([
    [0.005, '€0.005'],
    [0.1234567, '€0.1234567'],
    [1e-30, '€0.00'],
    [-0, '€0.00'],
    [-12.5, '-€12.50'],
  ])('used as a unit price: %d is %s', (unit_price, formatted) => {
    const items = [{ description: 'Messages', quantity: 12_000.25, unit_price, tax_rate: 7.7, total: 60 }];
    const { text, html } = renderReminder(createReminder({ invoice: { items } }));
    expect(text).toContain(` 12,000.25   ${formatted.padStart('Unit price'.length)}   €60.00\n`);
    expect(rowsOf(html)).toContain(`Messages, 7.7% tax | 12,000.25 | ${formatted} | €60.00`);
  });
});

test.each([
  ['2026-03-01', '1 March 2026'],
  ['2024-02-29', '29 February 2024'],
  ['2026-12-31', '31 December 2026'],
  ['0000-02-29', '29 February 0'],
])('the due date %s is formatted as %s', (due_date, formatted) => {
  expect(renderReminder(createReminder({ invoice: { due_date } })).subject).toMatch(new RegExp(` ${formatted}$`));
});

test('the columns of numbers stay aligned, whatever the descriptions contain', () => {
  const items = ['短い', '🧑‍🚀 e\u0301', 'x'.repeat(5_000), ''].map((description, index) => ({
    description,
    quantity: 10 ** index,
    unit_price: 10 ** (4 - index),
    tax_rate: 0,
    total: 10_000,
  }));
  const { text } = renderReminder(createReminder({ invoice: { items } }));
  const tableLines = text.split('\n').filter((line) => /^ {2}.*\S$/.test(line));
  const headingCount = 1;
  expect(tableLines).toHaveLength(headingCount + items.length);
  expect(new Set(tableLines.map(({ length }) => length)).size).toBe(1);
});

describe('a hostile text', () => {
  const fields = {
    name: (text: string) => createReminder({ customer: { name: text } }),
    number: (text: string) => createReminder({ invoice: { invoice_number: text } }),
    reference: (text: string) => createReminder({ invoice: { reference: text } }),
    description: (text: string) =>
      createReminder({
        invoice: { items: [{ description: text, quantity: 1, unit_price: 1, tax_rate: 0, total: 1 }] },
      }),
    link: (text: string) => createReminder({ payUrl: text }),
  };

  test.each(Object.entries(fields))('as %s is escaped', (_, withText) => {
    const placeholder = 'PLACEHOLDER';
    const template = renderReminder(withText(placeholder)).html;
    expect(template).toContain(placeholder);
    for (const text of hostileTexts) {
      expect(renderReminder(withText(text)).html).toBe(template.replaceAll(placeholder, () => escapeHtml(text)));
    }
  });

  test.each(Object.entries(fields))('as %s, generated at random, does not change the markup', (_, withText) => {
    // The payment URL appears in `href`, but must not end the attribute.
    const tagsWith = (text: string) =>
      renderReminder(withText(text))
        .html.match(/<[^>]*>/g)
        ?.map((tag) => tag.replace(/ href="[^"]*"/, ' href'));
    const expectedTags = tagsWith('x');
    expect(expectedTags).toContain('</table>');
    fc.assert(
      fc.property(fc.string({ unit: unicodeCharacter }), (text) => {
        expect(tagsWith(`x${text}`)).toEqual(expectedTags);
      }),
    );
  });
});

describe('line breaks and control characters', () => {
  const separators = [
    '\r\n',
    '\n',
    '\r',
    '\u0000',
    '\u000b',
    '\u001b',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202e',
    '\u2066',
  ];

  test.each(separators)('%j does not end a header or a line', (separator) => {
    const text = `A${separator}Bcc: eve@elsewhere.example`;
    const items = invoice.items.map((item) => ({ ...item, description: text }));
    const ordinaryMail = renderReminder(createReminder());
    const mail = renderReminder(
      createReminder({
        customer: { name: text, email: `ada@a.example${separator}Bcc: eve@elsewhere.example` },
        invoice: { invoice_number: text, reference: text, items },
      }),
    );
    expect(mail.to).toBe('ada@a.example Bcc: eve@elsewhere.example');
    expect(mail.subject).toBe('Reminder: invoice A Bcc: eve@elsewhere.example, €1,438.50 due on 1 March 2026');
    expect(mail.text.split('\n')).toHaveLength(ordinaryMail.text.split('\n').length);
    expect(mail.text).not.toMatch(/\r|^Bcc/m);
    for (const part of [mail.text, mail.html]) {
      expect(part).not.toContain(separator === '\n' ? 'A\nBcc' : separator);
    }
  });

  test('do not occur in the recipient or the subject, whatever the texts contain', () => {
    fc.assert(
      fc.property(fc.string({ unit: unicodeCharacter }), (text) => {
        const { to, subject } = renderReminder(
          createReminder({ customer: { ...customer, email: text }, invoice: { invoice_number: text } }),
        );
        expect(`${to}${subject}`).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

test('an unpaired surrogate is replaced', () => {
  const { html, text } = renderReminder(createReminder({ customer: { name: 'Ada \ud83d' } }));
  for (const part of [html, text]) expect(part).toContain('Dear Ada \ufffd,');
});

test('the HTML part loads no resources and runs no scripts', () => {
  const { html } = renderReminder(createReminder());
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(html).not.toMatch(/<(?:script|img|link|iframe|object|form|base)|\bsrc=|url\(|@import|\bon\w+=/i);
});
