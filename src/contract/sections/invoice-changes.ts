import { valueAt } from '../engine/expect.js';
import type { JsonObject } from '../engine/json.js';
import { changeField, fieldConverter, isSuiteText, type RecordChange } from '../mutation/interceptors.js';

/** Returns a function that applies a change to the customer of an invoice. */
export const changeCustomer =
  (change: RecordChange): RecordChange =>
  (record) =>
    changeField(record, 'customer', change);

/** Returns a function that applies a change to every line of an invoice. */
export const changeLines =
  (change: RecordChange): RecordChange =>
  (record) => {
    const lines = record['invoice_items'];
    if (!Array.isArray(lines)) return;
    record['invoice_items'] = lines.map((line) => {
      const copy = { ...line };
      change(copy);
      return copy;
    });
  };

/** Reverses the order of the lines of an invoice. */
export const reverseLines: RecordChange = fieldConverter('invoice_items', (lines) =>
  Array.isArray(lines) ? lines.toReversed() : lines,
);

/** True if the suite created the invoice. */
export const isCreatedBySuite = ({ reference }: JsonObject): boolean => isSuiteText(reference);

/**
 * Restricts a change to invoices that the suite did not create. In the others, a clause that compares them with what
 * was sent would detect the change, and not the clause of the mutant.
 */
export const unlessCreatedBySuite =
  (change: RecordChange): RecordChange =>
  (invoice) => {
    if (!isCreatedBySuite(invoice)) change(invoice);
  };

/** Returns a function that gives pending invoices another status. */
export const changePending = (status: string): RecordChange =>
  fieldConverter('status', (shown) => (shown === 'pending' ? status : shown));

/** Removes all lines of an invoice except the first. */
export const keepFirstLine: RecordChange = (invoice) =>
  Object.assign(invoice, { invoice_items: [valueAt(invoice, 'invoice_items.0')] });

/** Replaces the non-ASCII characters of the reference with question marks. */
export const replaceNonAsciiInReference: RecordChange = (invoice) => {
  const { reference } = invoice;
  if (typeof reference === 'string') Object.assign(invoice, { reference: reference.replace(/[^ -~]/gu, '?') });
};
