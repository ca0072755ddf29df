import { instant } from '../../../domain/dates.js';
import { entriesOf } from '../../../simulation/activity/chains.js';
import { findChains } from '../../control/activity.js';
import { chainView } from '../../control/activity-views.js';
import { exampleCurl } from '../components/example-curl.js';
import { pageSize } from '../components/list.js';
import { locationOf, type Page, type PageHandler } from '../routing/page.js';
import { readSearch } from '../routing/search.js';
import { activityKinds, activityPage } from './view.js';

const activity: PageHandler = (context) => {
  const { account, search, views } = context;
  const { text, status, page: wanted } = readSearch(search);
  const kind = activityKinds.find((name) => name === search.get('kind'));
  const record = (search.get('record') ?? '').trim();
  const found = findChains(account, {
    kind,
    status: status.trim() || undefined,
    record: record || undefined,
    search: text || undefined,
  });
  const page = Math.min(wanted, Math.max(1, Math.ceil(found.length / pageSize)));
  const first = (page - 1) * pageSize;
  const { currency } = account.record;
  return activityPage(locationOf(context, ''), {
    chains: found.slice(first, first + pageSize).map(chainView),
    total: found.length,
    search: { text, status, page, kind, record },
    isCut: account.activity.hasDropped() || account.requests.hasDropped(),
    now: instant(account.now()),
    // Settings and an idle clock keep the form for a first deposit.
    isNew: entriesOf(account.logs).every((entry) => !('request' in entry) && entry.detail.kind === 'action'),
    firstDeposit: { currency, number: account.deposits.size + 1 },
    curl: exampleCurl(views.baseUrl(), '/deposits', { booking_reference: 'BOOKING-1', amount: 300, currency }),
  });
};

export const activityPages: readonly Page[] = [['', activity]];
