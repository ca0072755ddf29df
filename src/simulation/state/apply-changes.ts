import type { AgendaItem, AgendaKind } from '../../domain/agenda-item.js';
import type { AccountState } from './account-state.js';
import type { RowChanges, TableRows } from './changes.js';
import { dueAtOf } from './due-times.js';
import { StoredDataError } from './stored-data-error.js';
import type { Table } from './table.js';

/** Receives the agenda items of changed rows. */
export interface AgendaPlanner {
  plan(item: AgendaItem): void;
  /** Called when the clock was set. */
  clockChanged(): void;
}

/** Collects undo functions, one for each step; undefined if nothing is ever undone. */
type OnUndo = ((undo: () => void) => void) | undefined;

/** How to apply the rows of a table. */
interface TableRule<Row> {
  put(state: AccountState, row: Row, onUndo: OnUndo, agenda: AgendaPlanner): void;
  /** Agenda item of a row. */
  readonly agenda?: { readonly kind: AgendaKind; readonly idOf: (row: Row, state: AccountState) => AgendaItem['id'] };
  /** Called after all rows of the table were applied. */
  afterAll?(state: AccountState, rows: readonly Row[], agenda: AgendaPlanner): void;
}

type Rules = { readonly [Name in keyof TableRows]: TableRule<TableRows[Name]> };

/** Tables in the order in which a commit is applied, which is also the order of simultaneous agenda items. */
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
    // Messages that waited for another one are due together with it, after it on the agenda.
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
  // In data folders, a row without steps or contents marks a deleted scenario or snapshot.
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

/**
 * Applies changes in memory, and plans agenda items.
 * @param onUndo called with undo functions, to be called in reverse order
 */
export function applyChanges(state: AccountState, changes: RowChanges, agenda: AgendaPlanner, onUndo?: OnUndo): void {
  for (const name of tablesIn(changes)) applyTable(name, changes, state, agenda, onUndo);
}

/**
 * Tables of a commit in the order of the rules. Looking up each rule in every commit would take longer than the rest.
 */
function tablesIn(changes: RowChanges): (keyof TableRows)[] {
  const names: (keyof TableRows)[] = [];
  let isInOrder = true;
  let lastRank = -1;
  for (const name of Object.keys(changes)) {
    if (!isTable(name)) continue;
    const rank = rankOf(name);
    isInOrder &&= rank > lastRank;
    lastRank = rank;
    names.push(name);
  }
  return isInOrder ? names : names.sort((a, b) => rankOf(a) - rankOf(b));
}

function isTable(name: string): name is keyof TableRows {
  return ranks.has(name);
}

function rankOf(name: keyof TableRows): number {
  return ranks.get(name) ?? 0;
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
    if (rule.agenda) putRowWithAgendaItem(rule, rule.agenda, row, state, agenda, onUndo);
    else rule.put(state, row, onUndo, agenda);
  }
  rule.afterAll?.(state, rows, agenda);
}

/** Puts a row with an agenda item. */
function putRowWithAgendaItem<Row>(
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
  // An item that ran has left the agenda; if its changes cannot be stored, it is due again.
  if (before !== undefined) onUndo?.(planAgain(agenda, { at: before, kind, id }));
}

/** A separate function, so that new rows do not pay for a closure. */
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
      onUndo?.(() => rows.undoPut(row, previous));
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
