import type { Estimate } from '../../contract/engine/run-contract.js';
import { formatCount } from '../../text/format.js';

/** Formats an estimate on one line: `About 250 requests; about 5 minutes at 60 requests per minute.` */
export function formatEstimate({ requests, requestsPerMinute: rate }: Estimate): string {
  const count = `About ${formatCount(requests, 'request')}`;
  if (rate === undefined) return `${count}; no rate limit to wait for.`;
  const minutes = requests / rate;
  const time = minutes < 1 ? 'less than a minute' : `about ${formatCount(Math.ceil(minutes), 'minute')}`;
  return `${count}; ${time} at ${formatCount(rate, 'request')} per minute.`;
}
