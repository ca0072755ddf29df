import { html, type SafeHtml } from '@remix-run/html-template';
import { formatInstant } from '../../../domain/dates.js';
import { defaultAccountId } from '../../../domain/defaults.js';
import type { Account } from '../../../simulation/account.js';
import { dangerButton } from '../components/danger-button.js';
import { type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { form } from '../components/form.js';
import { lastPage, pageLinks, pageSize, table } from '../components/list.js';
import { sectionPath } from '../components/sections.js';
import { timestamp } from '../components/timestamp.js';
import { readSearch } from '../data/read-search.js';
import type { PageHandler, PageRoute } from '../routing/page.js';

/** The list of accounts, a form for a new one, and the rate limit of the current account. */
const showAccounts: PageHandler = ({ account, accounts, location, query }) => {
  const total = location.accounts.length;
  const page = Math.min(readSearch(query).page, lastPage(total));
  const shownAccounts = accounts.all().slice((page - 1) * pageSize, page * pageSize);
  const isRateLimited = account.record.rate_limit;
  return dashboardPage(
    location,
    'Accounts',
    html`<section class="sheet">
${accountsTable(location, shownAccounts)}
${pageLinks(location, {}, { page, total })}
</section>
<div class="beside">
<section class="sheet">
<h2>New account</h2>
${form(
  location,
  'createAccount',
  ({ text, select }) => html`${text({
    name: 'id',
    label: 'Id',
    attributes: html`pattern="[a-z0-9][a-z0-9_\\-]{0,62}" placeholder="account-1"`,
    hint: 'Up to 63 lowercase letters, digits, hyphens and underscores, the first a letter or digit. Leave empty for the next free id.',
  })}
${select({
  name: 'seed',
  label: 'Records',
  options: [
    { value: 'empty', label: 'None' },
    { value: 'demo', label: 'Demo records' },
  ],
})}
${text({ name: 'now', label: 'Freeze clock at', attributes: html`placeholder="2026-03-01T09:00:00Z"`, hint: 'Leave empty to use the clock of this machine.' })}
<button>Create account</button>`,
)}
</section>
<section class="sheet">
<h2>Rate limit of ${location.account}</h2>
<p>Requests above the limit are ${isRateLimited ? 'refused' : 'allowed'}.</p>
${form(
  location,
  'changeSettings',
  html`<button name="rate_limit:boolean" value="${!isRateLimited}" class="quiet">${isRateLimited ? 'Disable rate limit' : 'Enable rate limit'}</button>`,
  { className: 'actions' },
)}
</section>
</div>`,
  );
};

function accountsTable(location: DashboardLocation, accounts: readonly Account[]): SafeHtml {
  return table<Account>(
    [
      { label: 'Account', show: ({ id }) => html`<a href="${sectionPath(id, '')}" hx-boost="false">${id}</a>` },
      { label: 'Time (UTC)', show: (account) => timestamp(formatInstant(account.now())) },
      { label: 'Clock', show: ({ clock }) => (clock.isFrozen ? 'frozen' : 'running') },
      { label: 'Created (UTC)', show: ({ record }) => timestamp(record.created_at) },
      {
        label: 'Actions',
        show: ({ id }) =>
          id === defaultAccountId ? '' : dangerButton({ account: id, path: location.path }, 'deleteAccount', 'Delete'),
      },
    ],
    accounts,
    `Accounts; ${defaultAccountId} cannot be deleted`,
  );
}

export const accountPages: readonly PageRoute[] = [['/accounts', showAccounts]];
