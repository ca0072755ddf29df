import { droppedUpTo, entriesOf } from '../../../simulation/activity/chains.js';
import { findChains } from '../../control/activity.js';
import { chainView } from '../../control/activity-views.js';
import { exampleCurl } from '../components/example-curl.js';
import { pageSize } from '../components/list.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { readSearch } from '../routing/search.js';
import { blocksOnPage } from './blocks.js';
import { activityKinds, activityPage } from './view.js';

const showActivity: PageHandler = (context) => {
  const { account, query, views } = context;
  const { text, status, page: requestedPage } = readSearch(query);
  const kind = activityKinds.find((name) => name === query.get('kind'));
  const record = (query.get('record') ?? '').trim();
  const chains = findChains(account, {
    kind,
    status: status.trim() || undefined,
    record: record || undefined,
    search: text || undefined,
  });
  const page = Math.min(requestedPage, Math.max(1, Math.ceil(chains.length / pageSize)));
  const start = (page - 1) * pageSize;
  const { currency } = account.record;
  return activityPage(context.location, {
    blocks: blocksOnPage(chains, start, pageSize).map(({ chain, dueChains }) => ({
      chain: chainView(chain),
      dueChains: dueChains.map(chainView),
    })),
    total: chains.length,
    search: { text, status, page, kind, record },
    hasDroppedActivity: droppedUpTo(account.logs) > 0,
    // Changes to settings or the clock do not count: the page still suggests a first deposit.
    isNew: entriesOf(account.logs).every((entry) => !('request' in entry) && entry.detail.kind === 'action'),
    firstDeposit: { currency, nextNumber: account.deposits.size + 1 },
    curl: exampleCurl(views.baseUrl(), '/deposits', { booking_reference: 'BOOKING-1', amount: 300, currency }),
  });
};

export const activityPages: readonly PageRoute[] = [['', showActivity]];
