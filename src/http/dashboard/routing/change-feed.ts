import type { Account } from '../../../simulation/account.js';
import type { Feed } from '../../control/stream.js';

/** Minimum interval between change events, in milliseconds. */
const throttleMs = 250;

/** A feed that tells pages to reload whenever an account changes. Changes in quick succession are one event. */
export function changeFeed(account: Account): Feed {
  let count = 0;
  return {
    event: 'change',
    idSource: account,
    // A reset of the account closes its streams; pages should reconnect soon.
    retryMs: 500,
    // Past events are not sent again: a page that reconnects reloads anyway.
    since: () => [],
    watch(push) {
      let timer: NodeJS.Timeout | undefined;
      const change = (): void => {
        timer ??= setTimeout(() => {
          timer = undefined;
          count += 1;
          push({ id: String(count), data: null });
        }, throttleMs);
      };
      const unsubscribers = [account.watchCommits(change), account.requests.watch(change), () => clearTimeout(timer)];
      return () => {
        for (const unsubscribe of unsubscribers) unsubscribe();
      };
    },
  };
}
