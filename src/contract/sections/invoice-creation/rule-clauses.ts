import { isRecord } from '../../../lib/json.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import {
  decimalOf,
  expectClientError,
  isClientError,
  isSuccess,
  requireSuccess,
  valueAt,
} from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { setup } from '../../engine/session.js';
import { requireRecord } from '../created-records.js';
import { errorQuotes, newInvoiceQuotes, newItemQuotes, quoteOf } from '../field-quotes.js';
import { hasMessageFor, invalidCreations } from '../invalid-creations.js';
import { newInvoiceLocation } from '../invoice-list/setups.js';
import { expectNotListed } from '../paging/expect-not-listed.js';
import { readCreatedRecord } from '../read-created-record.js';
import { expectRefused } from '../refusals.js';
import { creationSource } from './clauses.js';
import { invalidBodies, nonexistentCustomer } from './invalid-bodies.js';
import { createdInvoice, invoicePath, postInvoice } from './setups.js';

/**
 * Rows of the specification's tables, keyed by field. Invoices and items can share one object, because they have no
 * field name in common.
 */
const bodyRows = { ...newInvoiceQuotes, ...newItemQuotes };

/**
 * For each invalid body, a setup that sends it, perhaps together with others. The dates are one part of the body,
 * because a target compares them.
 */
const refusableInvoices = invalidCreations(
  'an invoice',
  invalidBodies.map(([number, field, title, changes, level = creationSource.level]) => ({
    number,
    field,
    part: field in newItemQuotes ? 'items' : field.replace(/^due_date$/, 'date'),
    isWellFormed: changes === nonexistentCustomer,
    title,
    changes,
    level,
  })),
  async (context, bodies) => {
    const reference = context.withRunPrefix(`rule ${bodies.map(({ number }) => number).join(', ')}`);
    const changes: JsonObject = { reference };
    for (const body of bodies)
      Object.assign(changes, typeof body.changes === 'function' ? await body.changes(context) : body.changes);
    return postInvoice(context, changes, { isInvalid: true });
  },
);

/** Fields that only the service sets, with values that no new invoice with valid items has. */
const serviceFields = { status: 'paid', amount: 0.01 };

/** Requests the creation of an invoice with fields that only the service sets. */
const serviceFieldsCreation = setup('an invoice with fields that only the service sets', (context) =>
  postInvoice(context, { reference: context.withRunPrefix('set fields'), ...serviceFields }, { isInvalid: true }),
);

/** Invoice creation: bodies that are refused, or of which a part is ignored. */
export const invoiceRuleClauses: readonly Clause[] = [
  ...refusableInvoices.map(
    ({ number, level, title, field, creation }): Clause => ({
      ...creationSource,
      level,
      id: `INV-RULE-${number}`,
      quote: quoteOf(bodyRows, field),
      title,
      check: async (context) => expectRefused(context, (await context.use(creation)).exchange, createdInvoice),
    }),
  ),
  {
    ...creationSource,
    id: 'INV-RULE-18',
    spec: 'States and transitions',
    quote: '| (none) | POST /invoices | valid request | pending | invoice number is generated when not supplied |',
    title: 'A refused invoice is not created.',
    check: async (context) => {
      await context.use(createdInvoice);
      const refusedReferences: unknown[] = [];
      for (const { creation } of refusableInvoices) {
        const created = await ifPossible(context.use(creation));
        if (created && isClientError(created.exchange)) refusedReferences.push(created.body['reference']);
      }
      if (refusedReferences.length === 0) throw new Blocked('no invalid invoice was refused');
      await expectNotListed(context, '/invoices', {
        noun: 'invoice',
        field: 'reference',
        texts: refusedReferences,
        newRecord: newInvoiceLocation,
      });
    },
  },
  {
    ...creationSource,
    level: 'inferred',
    id: 'INV-RULE-43',
    title: 'A body with a `status` and an `amount` is refused, or these fields are ignored.',
    check: async (context) => {
      // Otherwise, the request could be refused for another reason.
      await context.use(createdInvoice);
      const { exchange } = await context.use(serviceFieldsCreation);
      if (!isSuccess(exchange)) return expectClientError(exchange);
      const detail = await readCreatedRecord(context, invoicePath(requireRecord(exchange)));
      for (const shown of [exchange, requireSuccess(detail)]) {
        const [status, amount] = [valueAt(shown.json, 'data.status'), valueAt(shown.json, 'data.amount')];
        if (status === serviceFields.status)
          throw new Violation('`status` not to be the one that was sent', status, shown);
        if (decimalOf(amount) === serviceFields.amount)
          throw new Violation('`amount` not to be the one that was sent', amount, shown);
      }
    },
  },
  {
    ...creationSource,
    level: 'inferred',
    id: 'INV-RULE-19',
    spec: 'Errors',
    quote: errorQuotes.errors,
    title: 'If the response to an invalid body has `errors`, one of them names the invalid field.',
    check: async (context) => {
      // Requires that a valid body is accepted: otherwise, `errors` could name fields for another reason.
      await context.use(createdInvoice);
      let hasErrors = false;
      for (const { field, creation } of refusableInvoices) {
        const exchange = (await ifPossible(context.use(creation)))?.exchange;
        const errors = valueAt(exchange?.json, 'errors');
        if (!exchange || !isClientError(exchange) || !isRecord(errors)) continue;
        hasErrors = true;
        if (!hasMessageFor(errors, field)) throw new Violation(`\`errors\` to name \`${field}\``, errors, exchange);
      }
      if (!hasErrors) throw new Skip({ missing: 'an error response with `errors`', reason: 'there was none' });
    },
  },
];
