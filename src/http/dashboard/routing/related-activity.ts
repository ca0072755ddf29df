import type { Account } from '../../../simulation/account.js';
import { findChains } from '../../control/activity.js';
import { chainView } from '../../control/activity-views.js';
import type { RelatedActivity } from '../components/chains.js';

/** Maximum number of activity chains on the page of a record. */
const maxChains = 10;

/** The latest activity about a record. @param record such as `deposit:8` */
export function relatedActivity(account: Account, record: string): RelatedActivity {
  const allChains = findChains(account, { record });
  const chains = allChains.slice(0, maxChains).map(chainView);
  return { record, chains, total: allChains.length };
}
