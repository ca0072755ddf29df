import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { dangerButton } from '../components/confirmation.js';
import { addressOf, dashboardPage, type Place } from '../components/dashboard.js';
import { form } from '../components/form.js';
import { table } from '../components/list.js';
import { moment } from '../components/moment.js';

type Account = components['schemas']['Account'];

interface Accounts {
  readonly accounts: readonly Account[];
  /** The account that cannot be deleted. */
  readonly permanent: string;
  /** True if the current account rejects requests above the limit. */
  readonly rateLimit: boolean;
}

/** The list of accounts, and a form for a new one. */
export function accountsPage(place: Place, { accounts, permanent, rateLimit }: Accounts): string {
  return dashboardPage(
    place,
    'Accounts',
    html`<section class="sheet">
${listOf(place, accounts, permanent)}
</section>
<div class="beside">
<section class="sheet">
<h2>New account</h2>
${form(
  place,
  'createAccount',
  ({ text, select }) => html`${text({
    name: 'id',
    label: 'Id',
    attributes: html`pattern="[a-z0-9][a-z0-9_\\-]{0,62}" placeholder="account-1"`,
    hint: 'Lower-case letters, digits, - and _, with a letter or digit first. Leave empty for the next free one.',
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
<h2>Rate limit of ${place.account}</h2>
<p>Requests above the limit are ${rateLimit ? 'rejected' : 'allowed'}.</p>
${form(
  place,
  'changeSettings',
  html`<button name="rate_limit:boolean" value="${!rateLimit}" class="quiet">${rateLimit ? 'Allow them' : 'Reject them'}</button>`,
  { look: 'actions' },
)}
</section>
</div>`,
  );
}

function listOf(place: Place, accounts: readonly Account[], permanent: string): SafeHtml {
  return table<Account>(
    [
      { label: 'Account', show: ({ id }) => html`<a href="${addressOf(id, '')}" hx-boost="false">${id}</a>` },
      { label: 'Time (UTC)', show: ({ now }) => moment(now) },
      { label: 'Clock', show: ({ mode }) => (mode === 'frozen' ? 'frozen' : 'running') },
      { label: 'Created (UTC)', show: ({ created_at }) => moment(created_at) },
      {
        label: 'Actions',
        show: ({ id }) =>
          id === permanent ? '' : dangerButton({ account: id, path: place.path }, 'deleteAccount', 'Delete'),
      },
    ],
    accounts,
    `Accounts. ${permanent} cannot be deleted.`,
  );
}
