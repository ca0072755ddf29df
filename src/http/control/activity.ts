import { depositStatuses, invoiceStatuses, paymentStatuses } from '../../domain/records.js';
import { runStatuses } from '../../domain/scenario.js';
import { invalidField } from '../../domain/service-error.js';
import type { components } from '../../generated/control-validated-types.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import type { Account } from '../../simulation/account.js';
import {
  type Chain,
  type ChainEntry,
  chainsOf,
  droppedUpTo,
  entriesOf,
  recordNamesOf,
} from '../../simulation/activity/chains.js';
import type { ControlRoutes } from './operations.js';
import { pageOf } from './pagination.js';
import { type Feed, ignoreNotStored, sequenceOf } from './stream.js';
import { activityView, chainView } from './views.js';

type Activity = components['schemas']['Activity'];

/**
 * Filters of the activity list, which consists of chains: a cause, such as a request, with its consequences. A chain is
 * listed if it contains the text of `search` and has a matching entry for each other filter that is set.
 */
export interface ActivityFilters {
  readonly kind?: Activity['kind'] | undefined;
  /** The status of an HTTP response, a record or a scenario run; see `statusOf`. */
  readonly status?: string | undefined;
  /** The name of a record, such as `deposit:8`. Entries from before a reset or restore are about other records. */
  readonly record?: string | undefined;
  /** Text that the JSON of the chain contains, as it is or as JSON escapes it, regardless of case. */
  readonly search?: string | undefined;
}

export const activityRoutes = {
  listActivity: ({ account, query: { kind, status, record, search, ...page } }) => {
    if (status !== undefined) checkStatus(status);
    return pageOf(page, { rows: findChains(account, { kind, status, record, search }), view: chainView });
  },
} satisfies Partial<ControlRoutes>;

/** Values of the `status` filter, except HTTP statuses. */
const statusNames: readonly string[] = [
  // The status of a request or an attempt without a response.
  'none',
  ...new Set([...depositStatuses, ...invoiceStatuses, ...paymentStatuses, ...runStatuses]),
];

/** Rejects a status that no entry can have. @throws ServiceError invalid */
function checkStatus(status: string): void {
  if (/^[1-9]\d\d$/.test(status) || statusNames.includes(status)) return;
  const rule = 'must be an HTTP status such as 422, `none`, or a status of a record or run such as `expired`';
  throw invalidField('status', 'custom', {
    message: `status ${rule}${didYouMean(status, statusNames, { listKnown: 'never' })}`,
  });
}

/** Finds the matching chains. The chain that began last comes first. */
export function findChains({ logs, activity }: Account, { kind, status, record, search }: ActivityFilters): Chain[] {
  const filters: ((chain: Chain) => boolean)[] = [];
  const requireEntry = (matches: (entry: ChainEntry) => boolean): void => {
    filters.push(({ entries }) => entries.some(matches));
  };
  if (kind !== undefined) requireEntry((entry) => kindOf(entry) === kind);
  if (status !== undefined) requireEntry((entry) => statusOf(entry) === status);
  if (record !== undefined)
    requireEntry((entry) => entry.sequence > activity.outdatedUpTo && recordNamesOf(entry).includes(record));
  if (search !== undefined) {
    // JSON escapes quotes and backslashes of a text.
    const texts = [search, JSON.stringify(search).slice(1, -1)].map((text) => text.toLowerCase());
    filters.push((chain) => {
      const json = jsonOf(chain);
      return texts.some((text) => json.includes(text));
    });
  }
  return chainsOf(logs).filter((chain) => filters.every((matches) => matches(chain)));
}

/** Streams requests and other entries of the activity log. */
export function activityFeed(account: Account): Feed {
  const { logs } = account;
  const itemOf = (entry: ChainEntry) => ({ id: String(entry.sequence), data: activityView(entry) });
  return {
    event: 'activity',
    numberedBy: logs,
    since(id) {
      const lastReceived = sequenceOf(id);
      const last = lastReceived ?? 0;
      // A client without a valid id may have missed entries: its last id may be from before a restart. A client with a
      // valid id has missed entries if the logs have dropped some after that id. Both get an item of kind `gap` first.
      const mayHaveMissedEntries = lastReceived === undefined || last < droppedUpTo(logs);
      const newerItems = entriesOf(logs)
        .filter(({ sequence }) => sequence > last)
        .map(itemOf);
      return mayHaveMissedEntries ? [{ id: String(last), data: { kind: 'gap' } }, ...newerItems] : newerItems;
    },
    watch(push) {
      // Pushed in order, so that a client that reconnects with its last id has received everything before that id.
      let queue = Promise.resolve();
      const pushAfter = (stored: Promise<void>, entry: ChainEntry): void => {
        // Without this handler, a rejection would be unhandled until the queue has pushed the earlier entries.
        stored.catch(ignoreNotStored);
        queue = queue.then(() => stored).then(() => push(itemOf(entry)), ignoreNotStored);
      };
      const stopWatching = [
        // `whenStored` is called now, so that it waits for the commit of this entry, and not for later ones.
        logs.activity.watch((activity) => pushAfter(account.whenStored(), activity)),
        // A request is logged once everything that it depends on is stored.
        logs.requests.watch((request) => pushAfter(Promise.resolve(), { sequence: request.sequence, request })),
      ];
      return () => {
        for (const stop of stopWatching) stop();
      };
    },
  };
}

function kindOf(entry: ChainEntry): Activity['kind'] {
  return 'request' in entry ? 'request' : entry.detail.kind;
}

/**
 * The value of the `status` filter that matches an entry: the status of its HTTP response (`none` if there was none), of
 * the record that it changed, or of its scenario run.
 */
function statusOf(entry: ChainEntry): string | undefined {
  if ('request' in entry) return String(entry.request.status ?? 'none');
  const { detail } = entry;
  if (detail.kind === 'attempt') return String(detail.status ?? 'none');
  if (detail.kind === 'transition') return detail.to;
  return detail.kind === 'scenario' ? detail.status : undefined;
}

/** The JSON of a chain, in lower case. */
function jsonOf(chain: Chain): string {
  return JSON.stringify(chainView(chain).entries).toLowerCase();
}
