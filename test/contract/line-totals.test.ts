import { expect, test } from 'vitest';
import type { Exchange } from '../../src/contract/engine/exchange.js';
import { expectLineTotalsAsReturned } from '../../src/contract/sections/invoice-fields.js';

/** The response with an invoice whose lines have these totals. */
function invoiceResponse(...totals: number[]): Exchange & { readonly json: { readonly data: object } } {
  const json = { data: { invoice_items: totals.map((total) => ({ total })) } };
  const call = { method: 'GET', path: '/invoices/1' } as const;
  return { call, url: '', status: 200, headers: {}, text: JSON.stringify(json), json, milliseconds: 0 };
}

/** Compares the totals in a later response with those in the response to the creation. */
function compareTotals(later: readonly number[], created: readonly number[]): void {
  const exchange = invoiceResponse(...created);
  const record = { ...exchange.json.data };
  expectLineTotalsAsReturned({ exchange: invoiceResponse(...later), path: 'data' }, { record, exchange, body: {} });
}

test.each([
  [[0.3], [0.29]],
  [[0.1 + 0.2], [0.3]],
  [
    [2, 1],
    [1, 2],
  ],
])('totals of lines may be %j after a creation that returned %j', (later, created) => {
  compareTotals(later, created);
});

test.each([
  [[0.31], [0.29]],
  [
    [1, 1],
    [1, 2],
  ],
])('totals of lines may not be %j after a creation that returned %j', (later, created) => {
  expect(() => compareTotals(later, created)).toThrow('lines of `data` with the totals');
});
