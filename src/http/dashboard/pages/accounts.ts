import { html, type SafeHtml } from '@remix-run/html-template';
import { defaultAccountId } from '../../../domain/default-account.js';
import type { components } from '../../../generated/control-validated-types.js';
import { dangerButton } from '../components/danger-button.js';
import { addressOf, type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { form } from '../components/form.js';
import { pageLinks, pageSize, table } from '../components/list.js';
import { timestamp } from '../components/timestamp.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { readSearch } from '../routing/search.js';

type Account = components['schemas']['Account'];

/** The list of accounts, a form for a new one, and the rate limit of the current account. */
const showAccounts: PageHandler = async (context) => {
  const { account, location, query } = context;
  const total = location.accounts.length;
  const page = Math.min(readSearch(query).page, Math.ceil(total / pageSize));
  const { data: accounts } = await context.controlApi.listAccounts({
    ...operationInput(context),
    query: { page, per_page: pageSize },
  });
  const isRateLimited = account.record.rate_limit;
  return dashboardPage(
    location,
    'Accounts',
    html`<section class="sheet">
${accountsTable(location, accounts)}
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
      { label: 'Account', show: ({ id }) => html`<a href="${addressOf(id, '')}" hx-boost="false">${id}</a>` },
      { label: 'Time (UTC)', show: ({ now }) => timestamp(now) },
      { label: 'Clock', show: ({ mode }) => (mode === 'frozen' ? 'frozen' : 'running') },
      { label: 'Created (UTC)', show: ({ created_at }) => timestamp(created_at) },
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
