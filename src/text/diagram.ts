import { depositLifecycle } from '../domain/deposit-lifecycle.js';
import { invoiceLifecycle } from '../domain/invoice-lifecycle.js';
import type { Transition } from '../domain/lifecycle.js';
import { paymentLifecycle } from '../domain/payment-lifecycle.js';
import type { DepositStatus, InvoiceStatus, PaymentStatus } from '../domain/records.js';

interface Lifecycle<Status extends string> {
  readonly table: readonly Transition<Status, string, string>[];
  /** States in which records are created, with the label of the arrow to each. */
  readonly initialStates: Partial<Record<Status, string>>;
}

const deposit: Lifecycle<DepositStatus> = {
  table: depositLifecycle,
  initialStates: { pending: 'create / deposit.created' },
};
const payment: Lifecycle<PaymentStatus> = { table: paymentLifecycle, initialStates: { open: 'create' } };
const invoice: Lifecycle<InvoiceStatus> = {
  table: invoiceLifecycle,
  initialStates: { draft: 'seed', pending: 'create' },
};
const lifecycles = { deposit, payment, invoice };

/** An arrow of the diagram: a transition from one state to another. */
interface Edge {
  readonly from: string;
  readonly cause: string;
  readonly to: string;
  /** Condition and gap choices, each in brackets; empty if there are none. */
  readonly guards: string;
  readonly event: string;
  /**
   * True if the arrow starts at a diamond rather than at `from`: the profile's choice for a gap selects one of several
   * transitions with this cause. If one of them leads back to `from`, the arrows are drawn without a diamond.
   */
  readonly startsAtDiamond: boolean;
}

/**
 * Draws a lifecycle as a Mermaid state diagram. The label of an arrow names the cause, the condition or gap choice, and
 * the event that is sent: `cause [condition] / event`. Where a choice decides between states, one arrow for the cause
 * leads to a diamond, and an arrow for each choice leads from there to a state. Without the diamond, labels would
 * overlap.
 */
export function lifecycleDiagram(name: keyof typeof lifecycles): string {
  const { table, initialStates }: Lifecycle<string> = lifecycles[name];
  const edges = table.flatMap((row) => row.from.map((from) => edgeOf(name, table, row, from)));
  const lines = Object.entries(initialStates).map(([to, cause]) => arrow('[*]', to, cause));
  const drawnDiamonds = new Set<string>();
  for (const edge of edges) {
    const { from, cause, to, guards, event, startsAtDiamond } = edge;
    if (!startsAtDiamond) {
      lines.push(arrow(from, to, `${cause}${guards}${event}`));
      continue;
    }
    const diamond = `${from}_${cause}`.replaceAll('-', '_');
    if (!drawnDiamonds.has(diamond)) lines.push(`state ${diamond} <<choice>>`, arrow(from, diamond, cause));
    drawnDiamonds.add(diamond);
    lines.push(arrow(diamond, to, `${guards}${event}`.trim()));
  }
  const statesWithExit = new Set(edges.map(({ from }) => from));
  const finalStates = new Set(edges.map(({ to }) => to).filter((state) => !statesWithExit.has(state)));
  return ['stateDiagram-v2', ...lines, ...[...finalStates].map((state) => arrow(state, '[*]'))].join('\n    ');
}

function edgeOf(
  name: string,
  table: readonly Transition<string, string, string>[],
  { cause, when, choices = {}, to, event }: Transition<string, string, string>,
  from: string,
): Edge {
  const gaps = Object.entries(choices).map(([gap, choice]) => `${gap.replace(`${name}.`, '')}=${choice}`);
  const guards = [...(when === undefined ? [] : [when]), ...gaps].map((guard) => ` [${guard}]`).join('');
  const alternatives = table.filter(
    (row) => row.cause === cause && row.choices !== undefined && row.from.includes(from),
  );
  const startsAtDiamond = gaps.length > 0 && alternatives.length > 1 && alternatives.every((row) => row.to !== from);
  return { from, cause, to, guards, event: event === undefined ? '' : ` / ${event}`, startsAtDiamond };
}

/**
 * Writes an arrow between two states; `[*]` is the start or the end. Mermaid would end a label at a colon or semicolon;
 * no label contains one.
 */
function arrow(from: string, to: string, label?: string): string {
  return `${from} --> ${to}${label === undefined ? '' : `: ${label}`}`;
}
