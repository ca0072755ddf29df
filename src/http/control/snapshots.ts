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
import type { HandlerDependencies } from './control-options.js';
import type { ControlRoutes } from './operations.js';
import { pageOf } from './pagination.js';
import { asFieldError } from './parse-fields.js';

export function snapshotRoutes({ accounts }: World, readSnapshotFile: HandlerDependencies['readSnapshotFile']) {
  return {
    listSnapshots: ({ account, query }) => pageOf(query, { rows: [...account.snapshots.values()], view: snapshotView }),

    saveSnapshot: async ({ account, body: { name }, logDetails }) => {
      logDetails(name);
      return snapshotView(await saveSnapshot(account, name));
    },

    getSnapshot: ({ account, name }) => snapshotView(getSnapshot(account, name)),

    restoreSnapshot: async ({ account, name, logDetails }) => {
      logDetails(name);
      try {
        return accountView(await restoreSnapshot(accounts, account, name));
      } catch (error) {
        // A snapshot from an older version may have choices that no longer exist, which is reported as an error of the
        // field `profile`. Other errors stay unchanged.
        throw asFieldError(error, 'profile');
      }
    },

    exportSnapshot: ({ account, name }) => exportSnapshot(account, name),

    importSnapshot: async ({ account, body: { name, file }, logDetails }) => {
      try {
        const snapshot = await readSnapshotFile(file);
        logDetails(name ?? snapshot.name);
        return snapshotView(await importSnapshot(accounts, account, snapshot, name));
      } catch (error) {
        // The file is invalid or, as above, has choices that no longer exist.
        throw asFieldError(error, 'file');
      }
    },

    removeSnapshot: ({ account, name, logDetails }) => {
      logDetails(name);
      const removed = snapshotView(getSnapshot(account, name));
      removeSnapshot(account, name);
      return removed;
    },
  } satisfies Partial<ControlRoutes>;
}

function snapshotView({ name, created_at }: Snapshot) {
  return { name, created_at };
}
