import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../../simulation/account.js';
import { findChains } from '../../control/activity.js';
import { chainView } from '../../control/views.js';
import { chainList } from './chains.js';
import type { DashboardLocation } from './dashboard-page.js';
import { sectionPath } from './sections.js';

/** Maximum number of activity chains on the page of a record. */
const maxChains = 10;

/** The section with the latest activity about a record. @param record such as `deposit:8` */
export function relatedActivity(account: Account, location: DashboardLocation, record: string): SafeHtml {
  const chains = findChains(account, { record });
  const activityUrl = `${sectionPath(account.id, '')}?${new URLSearchParams({ record })}`;
  return html`<section class="sheet" aria-labelledby="related"><h2 id="related">Related</h2>
${chains.length === 0 ? html`<p class="empty">No recent activity.</p>` : chainList(location, chains.slice(0, maxChains).map(chainView))}
<p><a href="${activityUrl}">${chains.length > maxChains ? `All ${chains.length.toLocaleString('en')} in Activity` : 'Show in Activity'}</a></p>
</section>`;
}
