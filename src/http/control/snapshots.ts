import { getSnapshot, removeSnapshot, restoreSnapshot, saveSnapshot } from '../../simulation/seeding/snapshots.js';
import type { Snapshot } from '../../simulation/state/changes.js';
import type { World } from '../../simulation/world.js';
import { accountView } from './accounts.js';
import type { ControlRoutes } from './handler.js';
import { pageOf } from './page.js';

type Routes = Pick<
  ControlRoutes,
  'listSnapshots' | 'saveSnapshot' | 'getSnapshot' | 'restoreSnapshot' | 'removeSnapshot'
>;

export function snapshotRoutes({ accounts }: World): Routes {
  return {
    listSnapshots: ({ account, query }) => pageOf(query, { rows: [...account.snapshots.values()], view: snapshotView }),

    saveSnapshot: async ({ account, body: { name } }) => snapshotView(await saveSnapshot(account, name)),

    getSnapshot: ({ account, name }) => snapshotView(getSnapshot(account, name)),

    restoreSnapshot: async ({ account, name }) => accountView(await restoreSnapshot(accounts, account, name)),

    removeSnapshot: ({ account, name }) => {
      const last = snapshotView(getSnapshot(account, name));
      removeSnapshot(account, name);
      return last;
    },
  };
}

function snapshotView({ name, created_at }: Snapshot) {
  return { name, created_at };
}
