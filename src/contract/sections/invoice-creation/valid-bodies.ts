import type { Setup } from '../../engine/session.js';
import type { Creation } from '../created-records.js';
import { newInvoiceQuotes, newItemQuotes } from '../field-quotes.js';
import { customNumberCreation } from '../statistics/setups.js';
import {
  fullCreation,
  futureCreation,
  minimalCreation,
  minimumQuantityCreation,
  sameDayCreation,
  unusualCreation,
} from './setups.js';

/** Creations with valid bodies, some of them edge cases, which must succeed. Quotes are about the field in question. */
export const validBodies: readonly (readonly [
  number: string,
  quote: string,
  title: string,
  creation: Setup<Creation>,
])[] = [
  ['01', newInvoiceQuotes.invoice_number, 'An invoice with all fields except a number is created.', fullCreation],
  ['02', newInvoiceQuotes.items, 'An invoice with one item and only the required fields is created.', minimalCreation],
  ['03', newInvoiceQuotes.due_date, 'An invoice whose due date equals its date is created.', sameDayCreation],
  ['04', newItemQuotes.quantity, 'An item with the minimum quantity, 0.01, is accepted.', minimumQuantityCreation],
  [
    '39',
    newInvoiceQuotes.due_date,
    'An invoice with unusual values is created: with long texts, many items and a due date in 20 years.',
    unusualCreation,
  ],
  [
    '41',
    newInvoiceQuotes.date,
    'An invoice with a date in the future, an item that is free and the reference `0` is created.',
    futureCreation,
  ],
  ['05', newInvoiceQuotes.invoice_number, 'An invoice with a custom number is created.', customNumberCreation],
];
