import { instant } from '../../../domain/dates.js';
import type { Account } from '../../../simulation/account.js';
import { findChains } from '../../control/activity.js';
import { chainView } from '../../control/activity-views.js';
import type { Related } from '../components/chains.js';

/** Maximum number of chains on the page of a record. */
const maxRelated = 10;

/** The latest activity about a record, such as `deposit:8`. */
export function relatedTo(account: Account, record: string): Related {
  const found = findChains(account, { record });
  const chains = found.slice(0, maxRelated).map(chainView);
  return { record, chains, total: found.length, now: instant(account.now()) };
}
