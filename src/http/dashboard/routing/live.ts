import type { Account } from '../../../simulation/account.js';
import type { Feed } from '../../control/stream.js';

/** How long what happens is gathered before it is told of, in milliseconds: a page is made anew that often at the most. */
const gathering = 250;

/** That something has happened on an account: what, the page finds out by itself. The last change is always told of. */
export function changeFeed(account: Account): Feed {
  let count = 0;
  return {
    event: 'change',
    // A reset of the account ends its streams; the page is to go on at once.
    retryMs: 500,
    // Who comes back sees a page that was made anew.
    since: () => [],
    watch(tell) {
      let timer: NodeJS.Timeout | undefined;
      const change = (): void => {
        timer ??= setTimeout(() => {
          timer = undefined;
          count += 1;
          tell({ id: String(count), data: null });
        }, gathering);
      };
      const undo = [account.watch(change), account.requests.watch(change), () => clearTimeout(timer)];
      return () => {
        for (const step of undo) step();
      };
    },
  };
}
