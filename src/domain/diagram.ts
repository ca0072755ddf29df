import { depositLifecycle } from './deposit-lifecycle.js';
import { invoiceLifecycle } from './invoice-lifecycle.js';
import type { Transition } from './lifecycle.js';
import { paymentLifecycle } from './payment-lifecycle.js';
import type { DepositStatus, InvoiceStatus, PaymentStatus } from './records.js';

interface Lifecycle<Status extends string> {
  readonly table: readonly Transition<Status, string, string>[];
  /** Where a record may begin, and by what. */
  readonly beginnings: Partial<Record<Status, string>>;
}

const deposit: Lifecycle<DepositStatus> = {
  table: depositLifecycle,
  beginnings: { pending: 'create / deposit.created' },
};
const payment: Lifecycle<PaymentStatus> = { table: paymentLifecycle, beginnings: { open: 'create' } };
const invoice: Lifecycle<InvoiceStatus> = {
  table: invoiceLifecycle,
  beginnings: { draft: 'seed', pending: 'create' },
};
const lifecycles = { deposit, payment, invoice };

/**
 * A lifecycle as a Mermaid state diagram. An arrow says by what cause it is taken, under which condition or choice, and
 * what event tells of it: `cause [condition] / event`.
 */
export function lifecycleDiagram(name: keyof typeof lifecycles): string {
  const { table, beginnings }: Lifecycle<string> = lifecycles[name];
  const first = Object.entries(beginnings).map(([to, cause]) => arrow('[*]', to, cause));
  const steps = table.flatMap((row) => row.from.map((from) => arrow(from, row.to, labelOf(row))));
  const left = new Set(table.flatMap(({ from }) => from));
  const last = [...new Set(table.map(({ to }) => to))].filter((state) => !left.has(state));
  return ['stateDiagram-v2', ...first, ...steps, ...last.map((state) => arrow(state, '[*]'))].join('\n    ');
}

function arrow(from: string, to: string, label?: string): string {
  return `${from} --> ${to}${label === undefined ? '' : `: ${label}`}`;
}

/** Mermaid takes a label to end at a colon or semicolon; none may be in it. */
function labelOf({ cause, when, given = {}, event }: Transition<string, string, string>): string {
  const choices = Object.entries(given).map(([gap, choice]) => `${gap} = ${choice}`);
  const under = [...(when === undefined ? [] : [when]), ...choices].map((condition) => ` [${condition}]`);
  return `${cause}${under.join('')}${event === undefined ? '' : ` / ${event}`}`;
}
