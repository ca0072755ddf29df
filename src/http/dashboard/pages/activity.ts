import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import type { Account } from '../../../simulation/account.js';
import { type Chain, droppedUpTo, entriesOf } from '../../../simulation/activity/chains.js';
import { findChains } from '../../control/activity.js';
import { chainView } from '../../control/views.js';
import { blockList, type ChainBlock } from '../components/chains.js';
import { type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { firstDeposit } from '../components/first-deposit.js';
import { lastPage, pageLinks, pageSize, rangeText, type Search } from '../components/list.js';
import { sectionPath } from '../components/sections.js';
import { readSearch } from '../data/read-search.js';
import type { PageHandler, PageRoute } from '../routing/page.js';

type Kind = components['schemas']['Activity']['kind'];

const kindLabels: Readonly<Record<Kind, string>> = {
  request: 'Requests',
  action: 'Actions',
  due: 'Due items',
  created: 'New records',
  transition: 'Transitions',
  event: 'Events',
  attempt: 'Attempts',
  mail: 'Emails',
  scenario: 'Scenarios',
};

const activityKinds = Object.keys(kindLabels).filter((name): name is Kind => Object.hasOwn(kindLabels, name));

interface ActivitySearch extends Search {
  readonly kind: Kind | undefined;
  /** A record, such as `deposit:8`; empty for all records. */
  readonly record: string;
}

/** The start page of an account: each request, action and due item with its consequences, newest first. */
const showActivity: PageHandler = ({ account, location, query, views }) => {
  const { text, status, page: requestedPage } = readSearch(query);
  const kind = activityKinds.find((name) => name === query.get('kind'));
  const record = (query.get('record') ?? '').trim();
  const chains = findChains(account, {
    kind,
    status: status.trim() || undefined,
    record: recordKey(record) || undefined,
    search: text || undefined,
  });
  const page = Math.min(requestedPage, lastPage(chains.length));
  const search: ActivitySearch = { text, status, page, kind, record };
  // Changes to settings or the clock do not count: the page still suggests a first deposit.
  const isNew = entriesOf(account.logs).every((entry) => !('request' in entry) && entry.detail.kind === 'action');
  return dashboardPage(
    location,
    'Activity',
    html`${
      isNew && !isFiltered(search)
        ? firstDeposit(account, location, 'Start here: create a deposit', views.baseUrl())
        : ''
    }
${filterForm(location, search)}
${liveSection(location, 'activity', results(account, location, chains, search))}`,
  );
};

/** The name of a record in the log, such as `payment_link:4`, for its name on the pages, such as `Payment link 4`. */
function recordKey(name: string): string {
  const key = name.replace(/ (?=\S+$)/, ':').replaceAll(' ', '_');
  return key.replace(/^[^:]*/, (resource) => resource.toLowerCase());
}

function isFiltered({ text, status, kind, record }: ActivitySearch): boolean {
  return text !== '' || status !== '' || kind !== undefined || record !== '';
}

function filterForm({ account }: DashboardLocation, { text, status, kind, record }: ActivitySearch): SafeHtml {
  const options = activityKinds.map(
    (name) => html`<option value="${name}"${name === kind ? ' selected' : ''}>${kindLabels[name]}</option>`,
  );
  return html`<form action="${sectionPath(account, '')}" method="get" role="search" class="search fields row">
<label>Search <input type="search" name="q" value="${text}" placeholder="path, event, error, …"></label>
<label>Kind <select name="kind"><option value="">all</option>${options}</select></label>
<label>Status <input name="status" value="${status}" placeholder="422, expired" size="10"></label>
<label>Record <input name="record" value="${record}" placeholder="deposit:8" size="14"></label>
<button class="quiet">Filter</button>
</form>`;
}

/** A page of chains, newest first. The chains of due items are in the block of the advance that ran them. */
function results(
  { id, logs }: Account,
  location: DashboardLocation,
  chains: readonly Chain[],
  search: ActivitySearch,
): SafeHtml {
  const total = chains.length;
  if (total === 0) {
    return isFiltered(search)
      ? html`<p class="empty">No activity matches. <a href="${sectionPath(id, '')}">Show all</a></p>`
      : html`<p class="empty">No activity yet. Requests and their effects will appear here.</p>`;
  }
  const { text, kind, status, record, page } = search;
  const isLastPage = page * pageSize >= total;
  return html`<div class="sheet">
<p class="hint">${rangeText(page, total)}, newest first. Times are UTC on the account's clock.</p>
${blockList(location, blocksOnPage(chains, (page - 1) * pageSize))}
${isLastPage && droppedUpTo(logs) > 0 ? html`<p class="hint">Older activity is no longer kept.</p>` : ''}
${pageLinks(location, { q: text, kind: kind ?? '', status, record }, { page, total })}
</div>`;
}

/**
 * Groups the chains of due items under the advance that ran them, if `chains` contains it, and returns one page. If the
 * items of an advance continue on the next page, the advance is repeated there.
 * @param chains all chains, newest first @param start number of chains on the previous pages
 */
function blocksOnPage(chains: readonly Chain[], start: number): ChainBlock[] {
  const dueChainsOf = new Map<string, Chain[]>(chains.map(({ correlation }) => [correlation, []]));
  const topChains = chains.filter((chain) => {
    const chainsOfAdvance = dueChainsOf.get(causingCorrelation(chain) ?? '');
    // `chains` is newest first, and the chains of an advance are oldest first.
    chainsOfAdvance?.unshift(chain);
    return chainsOfAdvance === undefined;
  });
  const end = start + pageSize;
  const blocks: ChainBlock[] = [];
  let position = 0;
  for (const chain of topChains) {
    const dueChains = dueChainsOf.get(chain.correlation) ?? [];
    const dueStart = position + 1;
    const shownDueChains = dueChains.slice(Math.max(0, start - dueStart), Math.max(0, end - dueStart));
    const isOnPage = position >= start && position < end;
    if (isOnPage || shownDueChains.length > 0)
      blocks.push({ chain: chainView(chain), dueChains: shownDueChains.map(chainView) });
    position = dueStart + dueChains.length;
  }
  return blocks;
}

/** If a chain begins with a due item that an advance ran, the correlation of that advance; otherwise null. */
function causingCorrelation({ entries: [first] }: Chain): string | null {
  return 'detail' in first && first.detail.kind === 'due' ? first.detail.caused_by : null;
}

export const activityPages: readonly PageRoute[] = [['', showActivity]];
