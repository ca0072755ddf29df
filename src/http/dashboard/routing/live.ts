import type { Account } from '../../../simulation/account.js';
import type { Feed } from '../../control/stream.js';

/** Minimum interval between change events, in milliseconds. */
const throttleMs = 250;

/** The feed of change events of an account. Pages then reload. The last change is always reported. */
export function changeFeed(account: Account): Feed {
  let count = 0;
  return {
    event: 'change',
    // A reset of the account closes its streams; pages should reconnect at once.
    retryMs: 500,
    // A client that reconnects reloads its page.
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
