import type { Account } from '../../simulation/account.js';
import type { Feed } from '../stream.js';

/** That something has happened on an account: what, the page finds out by itself. */
export function changeFeed(account: Account): Feed {
  let count = 0;
  return {
    event: 'change',
    // Who comes back sees a page that was made anew.
    since: () => [],
    watch(tell) {
      const change = (): void => {
        count += 1;
        tell({ id: String(count), data: null });
      };
      const undo = [account.watch(change), account.requests.watch(change)];
      return () => {
        for (const step of undo) step();
      };
    },
  };
}
