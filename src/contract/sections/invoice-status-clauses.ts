import { Blocked, Violation } from '../engine/check-errors.js';
import type { Clause } from '../engine/clause.js';
import type { ClauseContext } from '../engine/session.js';
import { knownClockSkewMs } from './clock.js';
import { checkShownInvoices } from './created-invoices.js';
import type { CreatedRecord } from './created-records.js';
import { invoiceStatusQuotes } from './field-quotes.js';
import { fieldOf, type RecordLocation } from './fields.js';
import { dateInDays } from './invoice-creation/setups.js';

/** An operation that returns invoices. */
interface View {
  /** Prefix of the ids of clauses about the operation: `INV-LIST`. */
  readonly prefix: string;
  readonly operation: 'listInvoices' | 'getInvoice' | 'listOverdueInvoices';
  /** The response in titles of clauses: `the list`. */
  readonly name: string;
}

type StatusName = keyof typeof invoiceStatusQuotes;

/** Selects the invoices for which a rule excludes certain statuses. */
type Selector = (context: ClauseContext) => Promise<(created: CreatedRecord) => boolean>;

/** Selects the invoices on which nothing was paid. Only the driver pays invoices: the API has no operation for that. */
const nothingPaid: Selector = async ({ session }) => {
  const paidIds = new Set(
    session.driverCalls.filter(({ method }) => method === 'markInvoicePaid').map(({ record }) => record?.['id']),
  );
  return ({ record }) => !paidIds.has(record['id']);
};

/** Selects the invoices that are due after tomorrow. In the target's time zone, it may already be tomorrow. */
const notDue: Selector = async (context) => {
  const tomorrow = dateInDays(1, await context.use(knownClockSkewMs));
  return ({ body }) => String(body['due_date']) > tomorrow;
};

/** Creates a check that fails if a response shows a selected invoice of the suite with one of the statuses. */
function impossibleStatusCheck(
  { operation }: View,
  select: Selector,
  statuses: readonly StatusName[],
): Clause['check'] {
  return async (context) => {
    const shown: { readonly location: RecordLocation; readonly created: CreatedRecord }[] = [];
    await checkShownInvoices(context, operation, (location, created) => void shown.push({ location, created }));
    const isSelected = await select(context);
    let isStatusShown = false;
    for (const { location, created } of shown.filter((invoice) => isSelected(invoice.created))) {
      const status = fieldOf(location, 'status');
      isStatusShown ||= typeof status === 'string';
      if (statuses.some((name) => name === status)) {
        throw new Violation(
          `\`${location.path}.status\` of invoice ${created.record['id']} to be none of ${statuses.join(', ')}`,
          status,
          location.exchange,
        );
      }
    }
    if (!isStatusShown) throw new Blocked('no response shows the `status` of an invoice that the rule applies to');
  };
}

type Rule = Pick<Clause, 'level' | 'quote'> & {
  readonly titleIn: (viewName: string) => string;
  readonly select: Selector;
  /** Statuses that a selected invoice cannot have. */
  readonly statuses: readonly StatusName[];
};

/** Each rule excludes some statuses for some invoices, and is named after these statuses. */
const rules = {
  paidOrPartial: {
    level: 'documented',
    quote: `${invoiceStatusQuotes.paid} … ${invoiceStatusQuotes.partial}`,
    titleIn: (viewName) => `An invoice on which nothing was paid is neither \`paid\` nor \`partial\` in ${viewName}.`,
    select: nothingPaid,
    statuses: ['paid', 'partial'],
  },
  overdue: {
    level: 'documented',
    quote: invoiceStatusQuotes.overdue,
    titleIn: (viewName) => `An invoice that is not due yet is not \`overdue\` in ${viewName}.`,
    select: notDue,
    statuses: ['overdue'],
  },
  // Nobody has performed an action that leads to these statuses. The rule is `inferred`, because the specification does
  // not describe the transitions of an invoice. The service may send invoices by itself, so `sent` is not among them.
  draftViewedOrCancelled: {
    level: 'inferred',
    quote: `${invoiceStatusQuotes.viewed} … ${invoiceStatusQuotes.cancelled}`,
    titleIn: (viewName) =>
      `An invoice that nobody has viewed, paid or cancelled is not \`draft\`, \`viewed\` or \`cancelled\` in ${viewName}.`,
    select: nothingPaid,
    statuses: ['draft', 'viewed', 'cancelled'],
  },
} satisfies Readonly<Record<string, Rule>>;

/**
 * Creates the clause that a view shows no invoice with a status that it cannot have.
 * @param number number in the id of the clause
 */
export function impossibleStatusClause(view: View, ruleName: keyof typeof rules, number: string): Clause {
  const { level, quote, titleIn, select, statuses }: Rule = rules[ruleName];
  return {
    id: `${view.prefix}-${number}`,
    level,
    operation: view.operation,
    spec: 'States and transitions',
    quote,
    title: titleIn(view.name),
    readsEarlierResponses: true,
    check: impossibleStatusCheck(view, select, statuses),
  };
}
