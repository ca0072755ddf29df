import type { World } from '../../simulation/create-world.js';
import { removeSnapshot, restoreSnapshot, saveSnapshot } from '../../simulation/snapshots.js';
import type { Snapshot } from '../../simulation/world.js';
import { accountView } from './accounts.js';
import type { ControlRoutes } from './routes.js';

type Routes = Pick<ControlRoutes, 'listSnapshots' | 'saveSnapshot' | 'restoreSnapshot' | 'removeSnapshot'>;

export function snapshotRoutes({ accounts }: World): Routes {
  return {
    listSnapshots: ({ account }) => ({ snapshots: [...account.snapshots.values()].map(snapshotView) }),

    saveSnapshot: ({ account, body: { name } }) => snapshotView(saveSnapshot(account, name)),

    restoreSnapshot: ({ account, name }) => accountView(restoreSnapshot(accounts, account, name)),

    removeSnapshot: ({ account, name }) => {
      removeSnapshot(account, name);
      return { name };
    },
  };
}

function snapshotView({ name, created_at }: Snapshot) {
  return { name, created_at };
}
