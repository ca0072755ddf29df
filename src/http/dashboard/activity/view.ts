import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { blockList, type ChainBlock } from '../components/chains.js';
import { addressOf, type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard.js';
import { pageLinks, pageSize, rangeText, type Search } from '../components/list.js';
import { newDepositForm } from '../components/new-records.js';

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

export const activityKinds = Object.keys(kindLabels).filter((name): name is Kind => Object.hasOwn(kindLabels, name));

interface ActivitySearch extends Search {
  readonly kind: Kind | undefined;
  /** A record, such as `deposit:8`; empty for all records. */
  readonly record: string;
}

interface ActivityView {
  /** The chains of this page, newest first. The chains of due items are in the block of the advance that ran them. */
  readonly blocks: readonly ChainBlock[];
  /** Number of chains on all pages. */
  readonly total: number;
  readonly search: ActivitySearch;
  /** True if older activity has been dropped. */
  readonly hasDroppedActivity: boolean;
  /** True if there has been no request and no change to a record yet. */
  readonly isNew: boolean;
  /** The suggested values of a first deposit. */
  readonly firstDeposit: { readonly currency: string; readonly nextNumber: number };
  /** A curl command that creates a deposit. */
  readonly curl: string;
}

/** The start page of an account: each request, action and due item with its consequences, newest first. */
export function activityPage(location: DashboardLocation, activity: ActivityView): string {
  const { search, isNew, firstDeposit, curl } = activity;
  return dashboardPage(
    location,
    'Activity',
    html`${
      isNew && !isFiltered(search)
        ? html`<section class="sheet" aria-labelledby="try"><h2 id="try">Start here: create a deposit</h2>
<p>Create a deposit, authorize it, and advance 8 days: its hold ends, and a webhook is sent.</p>
${newDepositForm(location, firstDeposit.currency, firstDeposit.nextNumber)}
<p>Or create one through the API, with one of the <a href="${addressOf(location.account, 'tokens')}">tokens</a>:</p><pre tabindex="0" role="region" aria-label="A first request">${curl}</pre>
</section>`
        : ''
    }
${filterForm(location, search)}
${liveSection(location, 'activity', results(location, activity))}`,
  );
}

function isFiltered({ text, status, kind, record }: ActivitySearch): boolean {
  return text !== '' || status !== '' || kind !== undefined || record !== '';
}

function filterForm({ account }: DashboardLocation, { text, status, kind, record }: ActivitySearch): SafeHtml {
  const options = activityKinds.map(
    (name) => html`<option value="${name}"${name === kind ? ' selected' : ''}>${kindLabels[name]}</option>`,
  );
  return html`<form action="${addressOf(account, '')}" method="get" role="search" class="search fields row">
<label>Search <input type="search" name="q" value="${text}" placeholder="path, event, error, …"></label>
<label>Kind <select name="kind"><option value="">all</option>${options}</select></label>
<label>Status <input name="status" value="${status}" placeholder="422, expired" size="10"></label>
<label>Record <input name="record" value="${record}" placeholder="deposit:8" size="14"></label>
<button class="quiet">Filter</button>
</form>`;
}

function results(location: DashboardLocation, { blocks, total, search, hasDroppedActivity }: ActivityView): SafeHtml {
  const { account } = location;
  if (total === 0) {
    return isFiltered(search)
      ? html`<p class="empty">No activity matches. <a href="${addressOf(account, '')}">Show all</a></p>`
      : html`<p class="empty">No activity yet. Requests and their effects will appear here.</p>`;
  }
  const { text, kind, status, record, page } = search;
  return html`<div class="sheet">
<p class="hint">${rangeText(page, total)}, newest first. Times are UTC on the account's clock.</p>
${blockList(location, blocks)}
${page * pageSize >= total && hasDroppedActivity ? html`<p class="hint">Older activity is no longer kept.</p>` : ''}
${pageLinks(location, { q: text, kind: kind ?? '', status, record }, { page, total })}
</div>`;
}
