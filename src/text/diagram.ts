import { depositLifecycle } from '../domain/deposit-lifecycle.js';
import { invoiceLifecycle } from '../domain/invoice-lifecycle.js';
import type { Transition } from '../domain/lifecycle.js';
import { paymentLifecycle } from '../domain/payment-lifecycle.js';
import type { DepositStatus, InvoiceStatus, PaymentStatus } from '../domain/records.js';

interface Lifecycle<Status extends string> {
  readonly table: readonly Transition<Status, string, string>[];
  /** Initial states of records, and their causes. */
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

/** Arrow of a transition to one state. */
interface Way {
  readonly from: string;
  readonly cause: string;
  readonly to: string;
  /** Condition or gap choice, in brackets; empty for neither. */
  readonly guards: string;
  readonly event: string;
  /** Whether a choice of the profile selects one of several arrows. */
  readonly isChosen: boolean;
}

/**
 * A lifecycle as a Mermaid state diagram. The label of an arrow names the cause, the condition or gap choice, and the
 * event that is sent: `cause [condition] / event`. Where a choice decides between states, the arrow of the
 * cause leads to a diamond and those of the choices from there, so that their texts have room.
 */
export function lifecycleDiagram(name: keyof typeof lifecycles): string {
  const { table, beginnings }: Lifecycle<string> = lifecycles[name];
  const ways = table.flatMap((row) => row.from.map((from) => wayOf(name, table, row, from)));
  const lines = Object.entries(beginnings).map(([to, cause]) => arrow('[*]', to, cause));
  const drawn = new Set<string>();
  for (const way of ways) {
    const { from, cause, to, guards, event, isChosen } = way;
    if (!isChosen) {
      lines.push(arrow(from, to, `${cause}${guards}${event}`));
      continue;
    }
    const diamond = `${from}_${cause}`.replaceAll('-', '_');
    if (!drawn.has(diamond)) lines.push(`state ${diamond} <<choice>>`, arrow(from, diamond, cause));
    drawn.add(diamond);
    lines.push(arrow(diamond, to, `${guards}${event}`.trim()));
  }
  const left = new Set(ways.map(({ from }) => from));
  const last = new Set(ways.map(({ to }) => to).filter((state) => !left.has(state)));
  return ['stateDiagram-v2', ...lines, ...[...last].map((state) => arrow(state, '[*]'))].join('\n    ');
}

function wayOf(
  name: string,
  table: readonly Transition<string, string, string>[],
  { cause, when, given = {}, to, event }: Transition<string, string, string>,
  from: string,
): Way {
  const gaps = Object.entries(given).map(([gap, choice]) => `${gap.replace(`${name}.`, '')}=${choice}`);
  const guards = [...(when === undefined ? [] : [when]), ...gaps].map((guard) => ` [${guard}]`).join('');
  const rivals = table.filter((row) => row.cause === cause && row.given !== undefined && row.from.includes(from));
  const isChosen = gaps.length > 0 && rivals.length > 1 && rivals.every((row) => row.to !== from);
  return { from, cause, to, guards, event: event === undefined ? '' : ` / ${event}`, isChosen };
}

/** Mermaid ends a label at a colon or semicolon, so they are replaced. */
function arrow(from: string, to: string, label?: string): string {
  return `${from} --> ${to}${label === undefined ? '' : `: ${label}`}`;
}
