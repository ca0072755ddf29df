import { html, type SafeHtml } from '@remix-run/html-template';
import { daysUntilHoldsEnd } from '../../../domain/deposit-lifecycle.js';
import type { Account } from '../../../simulation/account.js';
import { formatCount } from '../../../text/format.js';
import type { DashboardLocation } from './dashboard-page.js';
import { exampleDepositCurl } from './example-curl.js';
import { newDepositForm } from './new-records.js';
import { sectionPath } from './sections.js';

/**
 * A form to try a first deposit, and what to do with it.
 * @param baseUrl the URL of the service, for a curl command that creates a deposit, too; undefined for none
 */
export function firstDeposit(account: Account, location: DashboardLocation, title: string, baseUrl?: string): SafeHtml {
  const { currency } = account.record;
  return html`<section class="sheet" aria-labelledby="try"><h2 id="try">${title}</h2>
<p>Create a deposit, authorize it, and advance ${formatCount(daysUntilHoldsEnd(account.profile), 'day')}: its hold ends, and a webhook is sent.</p>
${newDepositForm(location, currency, account.deposits.size + 1)}
${baseUrl === undefined ? '' : html`<p>Or create one through the API, with one of the <a href="${sectionPath(location.account, 'tokens')}">tokens</a>:</p><pre tabindex="0" role="region" aria-label="A first request">${exampleDepositCurl(baseUrl, currency)}</pre>`}
</section>`;
}
