import type { AgendaItem, AgendaKind } from '../../domain/agenda-item.js';
import type { AccountState } from './account-state.js';
import type { RowChanges, TableRows } from './changes.js';
import { dueAtOf } from './due-times.js';
import { StoredDataError } from './stored-data-error.js';
import type { Table } from './table.js';

/** The agenda, as changes of rows reach it. */
export interface AgendaPlanner {
  plan(item: AgendaItem): void;
  /** The clock was set: the next item may be due at another time. */
  clockChanged(): void;
}

/** Collects, for each step, how to undo it; undefined where nothing is ever undone. */
type OnUndo = ((undo: () => void) => void) | undefined;

/** How the rows of one table get into memory. */
interface TableRule<Row> {
  put(state: AccountState, row: Row, onUndo: OnUndo, agenda: AgendaPlanner): void;
  /** The agenda item that a row moves. */
  readonly agenda?: { readonly kind: AgendaKind; readonly idOf: (row: Row, state: AccountState) => AgendaItem['id'] };
  /** Called once all rows of the table are there. */
  afterAll?(state: AccountState, rows: readonly Row[], agenda: AgendaPlanner): void;
}

type Rules = { readonly [Name in keyof TableRows]: TableRule<TableRows[Name]> };

/** The tables in the order in which a commit changes them; of one moment, items come onto the agenda in this order. */
const rules: Rules = {
  account: {
    put(state, record, onUndo, agenda) {
      const previous = state.record;
      replaceRecord(state, record, agenda);
      onUndo?.(() => replaceRecord(state, previous, agenda));
    },
  },
  origin: {
    put(state, origin) {
      state.origin = origin;
    },
  },
  customers: table(({ customers }) => customers),
  tokens: table(({ tokens }) => tokens),
  invoices: table(({ invoices }) => invoices, 'invoice-falls-due'),
  payment_links: table(({ paymentLinks }) => paymentLinks),
  payments: table(({ payments }) => payments, 'payment-ends'),
  deposits: table(({ deposits }) => deposits, 'deposit-expires'),
  replays: {
    ...map(
      ({ replays }) => replays,
      ({ id }) => id,
    ),
    agenda: { kind: 'key-forgotten', idOf: ({ id }) => id },
  },
  deliveries: {
    ...table(({ deliveries }) => deliveries, 'delivery-attempt'),
    // Messages that have waited for another one are due with it, after it on the agenda.
    afterAll(state, deliveries, agenda) {
      for (const { releases = [] } of deliveries) {
        for (const id of releases) {
          if (!state.deliveries.get(id)) throw new StoredDataError(`the delivery ${id} that was held does not exist`);
          const at = dueAtOf('delivery-attempt', state, id);
          if (at !== undefined) agenda.plan({ at, kind: 'delivery-attempt', id });
        }
      }
    },
  },
  attempts: {
    ...table(({ attempts }) => attempts),
    agenda: {
      kind: 'delivery-attempt',
      idOf({ id, delivery_id }, { deliveries }) {
        if (!deliveries.get(delivery_id)) {
          throw new StoredDataError(`attempt ${id} names a delivery that does not exist`);
        }
        return delivery_id;
      },
    },
  },
  mails: table(({ mails }) => mails, 'mail-attempt'),
  faults: table(({ faults }) => faults),
  // Data folders say with a row without steps, or without contents, that a scenario or snapshot was removed.
  scenarios: map(
    ({ scenarios }) => scenarios,
    ({ name }) => name,
    ({ steps }) => steps.length === 0,
  ),
  runs: table(({ runs }) => runs, 'scenario-step'),
  snapshots: map(
    ({ snapshots }) => snapshots,
    ({ name }) => name,
    ({ contents }) => contents === null,
  ),
};

const ranks: ReadonlyMap<string, number> = new Map(Object.keys(rules).map((name, rank) => [name, rank]));

/** Changes rows in memory, and plans what is due of them. @param onUndo called with how to undo each step, to be done in reverse */
export function applyChanges(state: AccountState, changes: RowChanges, agenda: AgendaPlanner, onUndo?: OnUndo): void {
  for (const name of tablesIn(changes)) applyTable(name, changes, state, agenda, onUndo);
}

/** The tables of a commit in the order of the rules. Asking every commit for each table would take longer than the rest. */
function tablesIn(changes: RowChanges): (keyof TableRows)[] {
  const names = Object.keys(changes).filter(isTable);
  return names.length < 2 ? names : names.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

function isTable(name: string): name is keyof TableRows {
  return ranks.has(name);
}

function applyTable<Name extends keyof TableRows>(
  name: Name,
  changes: RowChanges,
  state: AccountState,
  agenda: AgendaPlanner,
  onUndo: OnUndo,
): void {
  const rule: TableRule<TableRows[Name]> = rules[name];
  const rows: readonly TableRows[Name][] = changes[name] ?? [];
  for (const row of rows) {
    if (rule.agenda) putDueRow(rule, rule.agenda, row, state, agenda, onUndo);
    else rule.put(state, row, onUndo, agenda);
  }
  rule.afterAll?.(state, rows, agenda);
}

/** Puts a row that moves an agenda item. */
function putDueRow<Row>(
  rule: TableRule<Row>,
  { kind, idOf }: NonNullable<TableRule<Row>['agenda']>,
  row: Row,
  state: AccountState,
  agenda: AgendaPlanner,
  onUndo: OnUndo,
): void {
  const id = idOf(row, state);
  const before = dueAtOf(kind, state, id);
  rule.put(state, row, onUndo, agenda);
  const at = dueAtOf(kind, state, id);
  if (at === before) return;
  if (at !== undefined) agenda.plan({ at, kind, id });
  // An item that has run has left the agenda; if its changes cannot be stored, it is due again.
  if (before !== undefined) onUndo?.(planAgain(agenda, { at: before, kind, id }));
}

/** Made apart, so that rows that replace none pay for no closure. */
function planAgain(agenda: AgendaPlanner, item: AgendaItem): () => void {
  return () => agenda.plan(item);
}

function table<Row extends { readonly id: number | string }>(
  tableOf: (state: AccountState) => Table<Row>,
  kind?: AgendaKind,
): TableRule<Row> {
  return {
    put(state, row, onUndo) {
      const rows = tableOf(state);
      const previous = rows.put(row);
      onUndo?.(() => rows.takeBack(row, previous));
    },
    ...(kind && { agenda: { kind, idOf: ({ id }) => id } }),
  };
}

function map<Row>(
  mapOf: (state: AccountState) => Map<string, Row>,
  keyOf: (row: Row) => string,
  isRemoval: (row: Row) => boolean = () => false,
): TableRule<Row> {
  return {
    put(state, row, onUndo) {
      const rows = mapOf(state);
      const key = keyOf(row);
      const previous = rows.get(key);
      if (isRemoval(row)) rows.delete(key);
      else rows.set(key, row);
      onUndo?.(() => (previous === undefined ? rows.delete(key) : rows.set(key, previous)));
    },
  };
}

function replaceRecord(state: AccountState, record: AccountState['record'], agenda: AgendaPlanner): void {
  const isClockSet = record.clock !== state.record.clock;
  state.record = record;
  if (isClockSet) agenda.clockChanged();
}
