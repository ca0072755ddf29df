import type { Clause } from '../engine/clause.js';
import { valueAt } from '../engine/expect.js';
import type { ClauseContext } from '../engine/session.js';
import { Violation } from '../engine/verdict.js';
import { knownClockSkewMs } from './clock.js';
import { checkShownInvoices } from './created-invoices.js';
import type { CreatedRecord } from './created-records.js';
import { invoiceStatusQuotes } from './field-quotes.js';
import type { RecordLocation } from './fields.js';
import { dateInDays } from './invoice-creation/setups.js';

/** A view in which responses show invoices. */
interface View {
  readonly prefix: string;
  readonly operation: 'listInvoices' | 'getInvoice' | 'listOverdueInvoices';
  /** The view in titles, in lower case: `the list`. */
  readonly name: string;
}

type StatusName = keyof typeof invoiceStatusQuotes;

/** Selects the invoices that cannot have a status. */
type Selector = (context: ClauseContext) => Promise<(created: CreatedRecord) => boolean>;

/** Selects the invoices of which nothing was paid: the driver did not pay them, and the API has no operation for it. */
const nothingPaid: Selector = async ({ session }) => {
  const paidIds = new Set(
    session.driverCalls.filter(({ method }) => method === 'markInvoicePaid').map(({ record }) => record?.['id']),
  );
  return ({ record }) => !paidIds.has(record['id']);
};

/** Selects the invoices that are due later than tomorrow: in the target's time zone, tomorrow may have begun. */
const notDue: Selector = async (context) => {
  const tomorrow = dateInDays(1, await context.use(knownClockSkewMs));
  return ({ body }) => String(body['due_date']) > tomorrow;
};

/** Creates a check that responses of an operation show no selected invoice of the suite with one of some statuses. */
function expectStatusUnlike({ operation }: View, select: Selector, statuses: readonly StatusName[]): Clause['check'] {
  return async (context) => {
    const shown: { readonly location: RecordLocation; readonly created: CreatedRecord }[] = [];
    await checkShownInvoices(context, operation, (location, created) => void shown.push({ location, created }));
    const isSelected = await select(context);
    for (const { location, created } of shown) {
      const status = valueAt(location.page.json, `${location.path}.status`);
      if (isSelected(created) && statuses.some((name) => name === status)) {
        throw new Violation(
          `\`${location.path}.status\` of invoice ${created.record['id']} to be none of ${statuses.join(', ')}`,
          status,
          location.page,
        );
      }
    }
  };
}

const common = { spec: 'States and transitions', readsEarlierResponses: true } as const;

/** Creates the clause that a view shows no invoice as paid, in full or in part, of which nothing was paid. */
export function paidStatusClause(view: View, number: string): Clause {
  return {
    ...common,
    id: `${view.prefix}-${number}`,
    level: 'documented',
    operation: view.operation,
    quote: `${invoiceStatusQuotes.paid} … ${invoiceStatusQuotes.partial}`,
    title: `An invoice of which nothing was paid is neither \`paid\` nor \`partial\` in ${view.name}.`,
    check: expectStatusUnlike(view, nothingPaid, ['paid', 'partial']),
  };
}

/** Creates the clause that a view shows no invoice as overdue before it is due. */
export function overdueStatusClause(view: View, number: string): Clause {
  return {
    ...common,
    id: `${view.prefix}-${number}`,
    level: 'documented',
    operation: view.operation,
    quote: invoiceStatusQuotes.overdue,
    title: `An invoice that is not due yet is not \`overdue\` in ${view.name}.`,
    check: expectStatusUnlike(view, notDue, ['overdue']),
  };
}

/**
 * Creates the clause that a view shows no invoice with a status that follows an action which nobody has performed. It
 * is `inferred`, because the specification does not describe the transitions of an invoice. The service may send
 * invoices by itself, so `sent` is not among these statuses.
 */
export function unreachedStatusClause(view: View, number: string): Clause {
  return {
    ...common,
    id: `${view.prefix}-${number}`,
    level: 'inferred',
    operation: view.operation,
    quote: `${invoiceStatusQuotes.viewed} … ${invoiceStatusQuotes.cancelled}`,
    title: `An invoice that nobody has viewed, paid or cancelled is neither \`draft\`, \`viewed\` nor \`cancelled\` in ${view.name}.`,
    check: expectStatusUnlike(view, nothingPaid, ['draft', 'viewed', 'cancelled']),
  };
}
