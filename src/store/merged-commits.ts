import { isRecord } from '../lib/json.js';
import type { Commit, RowsByTable } from '../simulation/state/changes.js';
import { keyOf, loadRowValidators, tablesOf } from './rows.js';

/** Current rows after all commits, by account, table and key. */
export class MergedCommits {
  readonly #accounts = new Map<string, Map<string, Map<string | number, object>>>();

  add({ account, changes, mode }: Commit): void {
    if (mode === 'remove') {
      this.#accounts.delete(account);
      return;
    }
    // A `replace` commit has all rows of the account.
    const previous = mode === 'merge' ? this.#accounts.get(account) : undefined;
    const tables = previous ?? new Map<string, Map<string | number, object>>();
    this.#accounts.set(account, tables);
    for (const [table, rows] of Object.entries(tablesOf(changes))) {
      const byKey = tables.get(table) ?? new Map<string | number, object>();
      tables.set(table, byKey);
      for (const row of rows) if (isRecord(row)) byKey.set(keyOf(row), row);
    }
  }

  /**
   * Returns the rows of each account that has its own row and only valid rows.
   * @param onDropped called for each account that is left out, with the reason
   */
  async validAccounts(onDropped: (id: string, reason: string) => void): Promise<Map<string, RowsByTable>> {
    const { areValidRows } = await loadRowValidators();
    const accounts = new Map<string, RowsByTable>();
    for (const [id, tables] of this.#accounts) {
      const rowsByTable = Object.fromEntries([...tables].map(([table, rows]) => [table, [...rows.values()]]));
      if (!areValidRows(rowsByTable, ({ message }) => onDropped(id, message))) continue;
      if (rowsByTable['account']?.length === 1) accounts.set(id, rowsByTable);
      else onDropped(id, 'its own row is missing');
    }
    return accounts;
  }
}
