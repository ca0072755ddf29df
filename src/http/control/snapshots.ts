import {
  exportSnapshot,
  getSnapshot,
  importSnapshot,
  removeSnapshot,
  restoreSnapshot,
  saveSnapshot,
} from '../../simulation/seeding/snapshots.js';
import type { Snapshot } from '../../simulation/state/changes.js';
import type { World } from '../../simulation/world.js';
import { accountView } from './accounts.js';
import type { ControlRoutes } from './handler.js';
import { pageOf } from './page.js';
import { profileErrorAt } from './parse-fields.js';
import type { PayloadParsers } from './payload-parsers.js';

type Routes = Pick<
  ControlRoutes,
  | 'listSnapshots'
  | 'saveSnapshot'
  | 'getSnapshot'
  | 'restoreSnapshot'
  | 'removeSnapshot'
  | 'exportSnapshot'
  | 'importSnapshot'
>;

export function snapshotRoutes({ accounts }: World, payloadParsers: Pick<PayloadParsers, 'snapshot'>): Routes {
  return {
    listSnapshots: ({ account, query }) => pageOf(query, { rows: [...account.snapshots.values()], view: snapshotView }),

    saveSnapshot: async ({ account, body: { name } }) => snapshotView(await saveSnapshot(account, name)),

    getSnapshot: ({ account, name }) => snapshotView(getSnapshot(account, name)),

    restoreSnapshot: async ({ account, name }) => {
      try {
        return accountView(await restoreSnapshot(accounts, account, name));
      } catch (error) {
        // An older version may have saved choices that no longer exist. Such an error becomes one about this field;
        // other errors stay unchanged.
        throw profileErrorAt('profile', error);
      }
    },

    exportSnapshot: ({ account, name }) => exportSnapshot(account, name),

    importSnapshot: async ({ account, body: { name, file } }) => {
      const snapshotFile = await payloadParsers.snapshot(file);
      try {
        return snapshotView(await importSnapshot(accounts, account, snapshotFile, name));
      } catch (error) {
        // As above: the file may come from a version with other choices.
        throw profileErrorAt('file', error);
      }
    },

    removeSnapshot: ({ account, name }) => {
      const removed = snapshotView(getSnapshot(account, name));
      removeSnapshot(account, name);
      return removed;
    },
  };
}

function snapshotView({ name, created_at }: Snapshot) {
  return { name, created_at };
}
