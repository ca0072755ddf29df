import { instant } from '../domain/dates.js';
import { Refusal } from '../domain/refusal.js';
import type { Account } from './account.js';
import type { Accounts } from './accounts.js';
import type { Snapshot } from './world.js';

/** Keeps an account as it is now under a name; what the name stood for before is forgotten. */
export function saveSnapshot(account: Account, name: string): Snapshot {
  const snapshot = { name, created_at: instant(account.now()), contents: account.state() };
  account.commit({ snapshots: [snapshot] });
  return snapshot;
}

/** @throws Refusal snapshot-unknown */
export function getSnapshot(account: Account, name: string): Snapshot {
  const snapshot = account.snapshots.get(name);
  if (!snapshot) throw new Refusal('snapshot-unknown');
  return snapshot;
}

/** @throws Refusal snapshot-unknown */
export function removeSnapshot(account: Account, name: string): void {
  account.commit({ snapshots: [{ ...getSnapshot(account, name), contents: null }] });
}

/**
 * Puts an account back to how it was: records, clock, agenda, deliveries and all. Who may come in (tokens), where
 * webhooks go, whether the rate limit holds, and the snapshots stay as they are now.
 * @throws Refusal snapshot-unknown
 */
export function restoreSnapshot(accounts: Accounts, account: Account, name: string): Account {
  const { contents, created_at } = getSnapshot(account, name);
  const saved = contents?.account?.[0];
  if (!saved) throw new Refusal('snapshot-unknown');
  const { webhook_url, webhook_secret, retired_secret, rotations, rate_limit } = account.record;
  // A clock that runs goes on from the moment at which it was saved.
  const clock = account.clock.stateAt(Date.parse(created_at), saved.clock.mode);
  return accounts.replace(account, {
    ...contents,
    account: [
      {
        ...saved,
        clock,
        webhook_url,
        webhook_secret,
        ...(retired_secret === undefined ? {} : { retired_secret }),
        ...(rotations === undefined ? {} : { rotations }),
        rate_limit,
      },
    ],
    tokens: [...account.tokens.rows],
    snapshots: [...account.snapshots.values()],
  });
}
