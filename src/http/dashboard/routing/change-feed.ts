import { clearTimeout, setTimeout } from 'node:timers';
import type { Account } from '../../../simulation/account.js';
import type { Feed } from '../../control/stream.js';

/** Minimum interval between change events, in milliseconds. */
const throttleMs = 250;

/** A feed that makes pages reload whenever an account changes. Changes in quick succession are sent as one event. */
export interface ChangeFeed extends Feed {
  /** The id of the last change. A page that was rendered since then is current until the next change. */
  lastId(): string;
}

const feeds = new WeakMap<Account, ChangeFeed>();

/** Returns the feed of an account, which is created on first use. */
export function changeFeedOf(account: Account): ChangeFeed {
  const feed = feeds.get(account) ?? createFeed(account);
  feeds.set(account, feed);
  return feed;
}

function createFeed(account: Account): ChangeFeed {
  let count = 0;
  const watchers = new Set<() => void>();
  const countChange = (): void => {
    count += 1;
    for (const watcher of watchers) watcher();
  };
  const lastId = (): string => String(count);
  account.onClose(account.watchCommits(countChange));
  account.onClose(account.requests.watch(countChange));
  return {
    event: 'change',
    // The ids count the changes of this account object.
    numberedBy: account,
    // A reset of the account closes its streams; pages should reconnect soon.
    retryMs: 500,
    lastId,
    // A page needs to reload only once, however many changes it missed.
    since: (id) => (id === lastId() ? [] : [{ id: lastId(), data: null }]),
    watch(push) {
      let timer: NodeJS.Timeout | undefined;
      const pushSoon = (): void => {
        timer ??= setTimeout(() => {
          timer = undefined;
          push({ id: lastId(), data: null });
        }, throttleMs);
      };
      watchers.add(pushSoon);
      return () => {
        watchers.delete(pushSoon);
        clearTimeout(timer);
      };
    },
  };
}
