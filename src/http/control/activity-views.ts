import { formatInstant } from '../../domain/dates.js';
import type { components } from '../../generated/control-validated-types.js';
import { type Chain, type ChainEntry, correlationOf, isCause } from '../../simulation/activity/chains.js';
import { requestView } from './views.js';

type Activity = components['schemas']['Activity'];
type ActivityChain = components['schemas']['ActivityChain'];

/** Builds a chain for the control API and the library. */
export function chainView({ correlation, entries }: Chain): ActivityChain {
  const [first] = entries;
  return {
    correlation_id: correlation,
    at: activityView(first).at,
    is_complete: isCause(first),
    entries: entries.map(activityView),
  };
}

/** Builds an entry for the control API and the library. */
export function activityView(entry: ChainEntry): Activity {
  const common = { sequence: entry.sequence, correlation_id: correlationOf(entry) };
  if ('request' in entry) {
    return { ...common, kind: 'request', at: formatInstant(entry.request.at), request: requestView(entry.request) };
  }
  return { ...common, ...entry.detail };
}
