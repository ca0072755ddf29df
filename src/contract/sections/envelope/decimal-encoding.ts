import type { OperationId } from '../../../generated/billing-document.js';
import { Skip, Violation } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, valueAt } from '../../engine/expect.js';
import { operationWithId } from '../../engine/operations.js';
import type { ClauseContext } from '../../engine/session.js';
import { elementsAt, recordsIn } from '../fields.js';
import { successesSoFar } from '../responses.js';

const invoiceOperations = ['createInvoice', 'getInvoice', 'listInvoices', 'listOverdueInvoices'] as const;
const linkOperations = ['createPaymentLink', 'listPaymentLinks'] as const;
const itemDecimals = ['quantity', 'unit_price', 'tax_rate', 'total'] as const;

/** A decimal, and where it is in a response. */
interface LocatedDecimal {
  readonly exchange: Exchange;
  readonly path: string;
  readonly encoding: 'a number' | 'a string';
}

/** Returns the decimals at the given paths, and leaves out other values, which other clauses are about. */
function decimalsAt(exchange: Exchange, paths: readonly string[]): LocatedDecimal[] {
  return paths.flatMap((path): LocatedDecimal[] => {
    const value = valueAt(exchange.json, path);
    if (decimalOf(value) === undefined) return [];
    return [{ exchange, path, encoding: typeof value === 'string' ? 'a string' : 'a number' }];
  });
}

/**
 * Expects that a decimal field has the same encoding wherever a kind of record is shown.
 * @param pathsIn returns the paths of the field in a record at the given path
 * @returns true if two operations showed the field
 * @throws Violation
 */
function expectOneEncoding(
  context: ClauseContext,
  operations: readonly OperationId[],
  pathsIn: (exchange: Exchange, recordPath: string) => readonly string[],
): boolean {
  let first: (LocatedDecimal & { readonly operation: OperationId }) | undefined;
  let isComparison = false;
  for (const operation of operations) {
    for (const exchange of successesSoFar(context, operation)) {
      const paths = recordsIn(exchange, operation).flatMap((record) => pathsIn(exchange, record.path));
      for (const decimal of decimalsAt(exchange, paths)) {
        first ??= { ...decimal, operation };
        isComparison ||= operation !== first.operation;
        if (decimal.encoding === first.encoding) continue;
        context.recordEvidence(first.exchange);
        const { method, path } = operationWithId(first.operation);
        throw new Violation(
          `\`${decimal.path}\` to be ${first.encoding}, as in a response to ${method} ${path}`,
          decimal.encoding,
          exchange,
        );
      }
    }
  }
  return isComparison;
}

/**
 * Expects that each decimal field of invoices and payment links has one encoding in all responses so far. Fields may
 * differ from one another: the specification calls some of them decimals, and others numbers.
 * @throws Violation; Skip if no field was shown by two operations
 */
export function expectSameDecimalEncodings(context: ClauseContext): void {
  const comparisons = [
    expectOneEncoding(context, invoiceOperations, (_exchange, path) => [`${path}.amount`]),
    ...itemDecimals.map((field) =>
      expectOneEncoding(context, invoiceOperations, (exchange, path) =>
        elementsAt(exchange, `${path}.invoice_items`).map((item) => `${item.path}.${field}`),
      ),
    ),
    expectOneEncoding(context, linkOperations, (_exchange, path) => [`${path}.amount`]),
  ];
  if (!comparisons.includes(true))
    throw new Skip({ missing: 'an invoice or a link in two responses', reason: 'no decimal was shown twice' });
}
