import type { AgendaItem, AgendaKind } from '../../domain/agenda-item.js';
import { maxClockTimeMs, parseInstant } from '../../domain/dates.js';
import { expiresAt } from '../../domain/deposit-lifecycle.js';
import { isUnpaid, overdueAt } from '../../domain/invoice-lifecycle.js';
import { isInProgress } from '../../domain/payment-lifecycle.js';
import type { Delivery, Deposit, Invoice, KeyedResponse, Mail, Payment } from '../../domain/records.js';
import type { Run } from '../../domain/scenario.js';
import { dayMs } from '../../lib/durations.js';
import type { AccountState } from './account-state.js';
import type { RowsByTable, TableRows } from './changes.js';
import { StoredDataError } from './stored-data-error.js';
import type { Table } from './table.js';

/** For each kind of agenda item, the type of the row that becomes due. */
export interface AgendaRows extends Record<AgendaKind, unknown> {
  readonly 'invoice-falls-due': Invoice;
  readonly 'deposit-expires': Deposit;
  readonly 'payment-ends': Payment;
  readonly 'key-forgotten': KeyedResponse;
  readonly 'delivery-attempt': Delivery;
  readonly 'mail-attempt': Mail;
  readonly 'scenario-step': Run;
}

/** Rows by id: a table, or a map, in which rows have no position. */
interface RowsById<Row> {
  get(id: AgendaItem['id']): Row | undefined;
  positionOf?(id: AgendaItem['id']): number;
}

/** The rows that one kind of agenda item is about, and when each of them is due. */
export interface DueTimeRule<Row> {
  rowsOf(state: AccountState): RowsById<Row>;
  /** Milliseconds since 1970; undefined if nothing is due. */
  dueAt(state: AccountState, row: Row): number | undefined;
}

/** Kinds in the order in which their items run if they are due at the same time. */
export const dueTimes: { readonly [Kind in AgendaKind]: DueTimeRule<AgendaRows[Kind]> } = {
  'invoice-falls-due': {
    rowsOf: ({ invoices }) => invoices,
    dueAt: ({ profile, record }, invoice) =>
      isUnpaid(invoice) && !invoice.past_due ? ifReachable(overdueAt(invoice, profile, record.time_zone)) : undefined,
  },
  'payment-ends': {
    rowsOf: ({ payments }) => payments,
    dueAt: (_state, { status, scheduled_end: end }) => (end && isInProgress(status) ? parseInstant(end.at) : undefined),
  },
  'deposit-expires': {
    rowsOf: ({ deposits }) => deposits,
    dueAt: ({ profile }, deposit) => expiresAt(deposit, profile),
  },
  'key-forgotten': {
    rowsOf: ({ keyedResponses }) => keyedResponses,
    dueAt({ profile }, response) {
      const retention = profile['deposit.key-retention'];
      if (retention === 'forever') return undefined;
      return parseInstant(response.created_at) + (retention === 'day' ? dayMs : retention.after);
    },
  },
  'delivery-attempt': {
    rowsOf: ({ deliveries }) => deliveries,
    dueAt(state, delivery) {
      const at = deliveryDueAt(state, delivery);
      return at === null ? undefined : parseInstant(at);
    },
  },
  'mail-attempt': {
    rowsOf: ({ mails }) => mails,
    dueAt(state, mail) {
      const at = mailDueAt(state, mail);
      return at === null ? undefined : parseInstant(at);
    },
  },
  'scenario-step': {
    rowsOf: ({ runs }) => runs,
    dueAt: (_state, { due_at }) => (due_at === null ? undefined : parseInstant(due_at)),
  },
};

/** Returns a time; undefined if no clock can reach it, as for an invoice that is due at the end of the year 9999. */
function ifReachable(at: number): number | undefined {
  return at <= maxClockTimeMs ? at : undefined;
}

/** Due time of the row with an id; undefined if it does not exist or has nothing due. */
function dueAtOf<Kind extends AgendaKind>(kind: Kind, state: AccountState, id: AgendaItem['id']): number | undefined {
  const { rowsOf, dueAt }: DueTimeRule<AgendaRows[Kind]> = dueTimes[kind];
  const row = rowsOf(state).get(id);
  return row === undefined ? undefined : dueAt(state, row);
}

/** Time of the next attempt of a delivery, ISO 8601; null if there is none. */
export function deliveryDueAt(state: AccountState, delivery: Delivery): string | null {
  const { id, url, delay, created_at } = delivery;
  const last = state.attemptsOfDelivery.last(id);
  if (last) return last.next_attempt_at;
  if (url === null) return null;
  return delay ? delayedUntil(state, id, delay) : created_at;
}

/**
 * Time of the next attempt of an email, ISO 8601; null if there is none. Without an SMTP server there is none, even if
 * the simulator had a server when the email was created.
 */
export function mailDueAt({ ports }: AccountState, { next_attempt_at }: Mail): string | null {
  return ports.sendMail ? next_attempt_at : null;
}

/**
 * Due time of a delayed message, ISO 8601: `until`, its latest time, or if another message overtook it, the due time of
 * that message, but not before `from`, its earliest time.
 */
function delayedUntil(state: AccountState, id: string, { from, until }: NonNullable<Delivery['delay']>): string {
  const overtaker = state.reorderedDeliveries.overtakerOf(id);
  if (!overtaker) return until;
  const overtakerDueAt = overtaker.delay?.until ?? overtaker.created_at;
  return overtakerDueAt > from ? overtakerDueAt : from;
}

/** Receives the agenda items of changed rows. */
export interface AgendaPlanner {
  plan(item: AgendaItem): void;
  /** Plans an item again, because the changes that it made when it ran have been undone. */
  planAgain(item: AgendaItem): void;
  /** Called after the clock has been set. */
  clockChanged(): void;
}

/** Collects the undo function of each change; undefined if the changes are never undone. */
type CollectUndo = ((undo: () => void) => void) | undefined;

/** How to apply the rows of a table. */
interface TableRule<Row> {
  put(state: AccountState, row: Row, collectUndo: CollectUndo, agenda: AgendaPlanner): void;
  /** Agenda item of a row. `idOf` returns the id of the row that is due: for an attempt, the id of its delivery. */
  readonly agendaItem?: {
    readonly kind: AgendaKind;
    readonly idOf: (row: Row, state: AccountState) => AgendaItem['id'];
  };
  /** Called once all rows of the table have been applied. */
  afterAll?(state: AccountState, rows: readonly Row[], agenda: AgendaPlanner): void;
}

type Rules = { readonly [Name in keyof TableRows]: TableRule<TableRows[Name]> };

/** Tables in the order in which a commit is applied. Those with agenda items are in the same order as in `dueTimes`. */
const rules: Rules = {
  account: {
    put(state, record, collectUndo, agenda) {
      const previous = state.record;
      replaceRecord(state, record, agenda);
      collectUndo?.(() => replaceRecord(state, previous, agenda));
    },
  },
  // The seed and the clock of a new account, for resets. They are not undone: no request changes them.
  origin: {
    put(state, origin) {
      state.origin = origin;
    },
  },
  customers: tableRule(({ customers }) => customers),
  tokens: tableRule(({ tokens }) => tokens),
  invoices: tableRule(({ invoices }) => invoices, 'invoice-falls-due'),
  payment_links: tableRule(({ paymentLinks }) => paymentLinks),
  payments: tableRule(({ payments }) => payments, 'payment-ends'),
  deposits: tableRule(({ deposits }) => deposits, 'deposit-expires'),
  // Responses stored for an `Idempotency-Key`, which retries get again.
  keyed_responses: {
    ...mapRule(
      ({ keyedResponses }) => keyedResponses,
      ({ id }) => id,
    ),
    agendaItem: { kind: 'key-forgotten', idOf: ({ id }) => id },
  },
  deliveries: {
    ...tableRule(({ deliveries }) => deliveries, 'delivery-attempt'),
    // The messages that a new one overtakes are now due at the same time, or at their own `from` if that is later. They
    // are planned after the new one, so that they are sent after it.
    afterAll(state, deliveries, agenda) {
      for (const { overtakes = [] } of deliveries) {
        for (const id of overtakes) {
          if (!state.deliveries.get(id)) throw new StoredDataError(`the overtaken delivery ${id} does not exist`);
          const at = dueAtOf('delivery-attempt', state, id);
          if (at !== undefined) agenda.plan({ at, kind: 'delivery-attempt', id });
        }
      }
    },
  },
  attempts: {
    ...tableRule(({ attempts }) => attempts),
    agendaItem: {
      kind: 'delivery-attempt',
      idOf({ id, delivery_id }, { deliveries }) {
        if (!deliveries.get(delivery_id)) {
          throw new StoredDataError(`attempt ${id} refers to a delivery that does not exist`);
        }
        return delivery_id;
      },
    },
  },
  mails: tableRule(({ mails }) => mails, 'mail-attempt'),
  faults: tableRule(({ faults }) => faults),
  // A row without steps or contents marks a deleted scenario or snapshot.
  scenarios: mapRule(
    ({ scenarios }) => scenarios,
    ({ name }) => name,
    ({ steps }) => steps.length === 0,
  ),
  runs: tableRule(({ runs }) => runs, 'scenario-step'),
  snapshots: mapRule(
    ({ snapshots }) => snapshots,
    ({ name }) => name,
    ({ contents }) => contents === null,
  ),
};

/** Tables in the order in which a commit is applied. */
const tableNames = Object.keys(rules).filter(isTable);

function isTable(name: string): name is keyof TableRows {
  return name in rules;
}

/**
 * Applies changes in memory, and plans agenda items.
 * @param collectUndo called with undo functions; to undo the changes, the caller calls them in reverse order
 */
export function applyChanges(
  state: AccountState,
  changes: RowsByTable,
  agenda: AgendaPlanner,
  collectUndo?: CollectUndo,
): void {
  for (const name of tableNames) if (changes[name]) applyTable(name, changes[name], state, agenda, collectUndo);
}

function applyTable<Name extends keyof TableRows>(
  name: Name,
  rows: readonly TableRows[Name][],
  state: AccountState,
  agenda: AgendaPlanner,
  collectUndo: CollectUndo,
): void {
  const rule: TableRule<TableRows[Name]> = rules[name];
  for (const row of rows) {
    if (rule.agendaItem) putRowWithAgendaItem(rule, rule.agendaItem, row, state, agenda, collectUndo);
    else rule.put(state, row, collectUndo, agenda);
  }
  rule.afterAll?.(state, rows, agenda);
}

/** Puts a row, and plans its agenda item if the due time has changed. */
function putRowWithAgendaItem<Row>(
  rule: TableRule<Row>,
  { kind, idOf }: NonNullable<TableRule<Row>['agendaItem']>,
  row: Row,
  state: AccountState,
  agenda: AgendaPlanner,
  collectUndo: CollectUndo,
): void {
  const id = idOf(row, state);
  const previousDueAt = dueAtOf(kind, state, id);
  rule.put(state, row, collectUndo, agenda);
  const dueAt = dueAtOf(kind, state, id);
  if (dueAt === previousDueAt) return;
  if (dueAt !== undefined) agenda.plan({ at: dueAt, kind, id });
  // The agenda drops an item when the item runs. If the changes of the item cannot be stored, the item is planned again.
  if (previousDueAt !== undefined) collectUndo?.(() => agenda.planAgain({ at: previousDueAt, kind, id }));
}

function tableRule<Row extends { readonly id: number | string }>(
  tableOf: (state: AccountState) => Table<Row>,
  kind?: AgendaKind,
): TableRule<Row> {
  return {
    put(state, row, collectUndo) {
      const rows = tableOf(state);
      const previous = rows.put(row);
      collectUndo?.(() => rows.undoPut(row, previous));
    },
    ...(kind && { agendaItem: { kind, idOf: ({ id }) => id } }),
  };
}

function mapRule<Row>(
  mapOf: (state: AccountState) => Map<string, Row>,
  keyOf: (row: Row) => string,
  isRemoval: (row: Row) => boolean = () => false,
): TableRule<Row> {
  return {
    put(state, row, collectUndo) {
      const rows = mapOf(state);
      const key = keyOf(row);
      const previous = rows.get(key);
      if (isRemoval(row)) {
        // To undo a removal, all rows are set again, in their order: the removed row alone would be set last. If nothing
        // can be undone, as at startup, they are not copied.
        const rowsBefore = collectUndo ? [...rows] : [];
        rows.delete(key);
        collectUndo?.(() => {
          rows.clear();
          for (const [keyBefore, rowBefore] of rowsBefore) rows.set(keyBefore, rowBefore);
        });
        return;
      }
      rows.set(key, row);
      collectUndo?.(() => (previous === undefined ? rows.delete(key) : rows.set(key, previous)));
    },
  };
}

function replaceRecord(state: AccountState, record: AccountState['record'], agenda: AgendaPlanner): void {
  const isClockSet = record.clock !== state.record.clock;
  state.record = record;
  if (isClockSet) agenda.clockChanged();
}
