import { formatInstant } from '../../domain/dates.js';
import type { components } from '../../generated/control-validated-types.js';
import { type Chain, type ChainEntry, correlationOf, isCause } from '../../simulation/activity/chains.js';
import { requestView } from './views.js';

type Activity = components['schemas']['Activity'];
type ActivityChain = components['schemas']['ActivityChain'];

/** Converts a chain, which is a cause with its consequences, to its form in the control API and the library. */
export function chainView({ correlation, entries }: Chain): ActivityChain {
  const [first] = entries;
  return {
    correlation_id: correlation,
    at: activityView(first).at,
    // If the log has dropped the cause, the chain begins with a consequence.
    is_complete: isCause(first),
    entries: entries.map(activityView),
  };
}

/** Converts an entry of a chain to its form in the control API and the library. */
export function activityView(entry: ChainEntry): Activity {
  const common = { sequence: entry.sequence, correlation_id: correlationOf(entry) };
  if ('request' in entry) {
    return { ...common, kind: 'request', at: formatInstant(entry.request.at), request: requestView(entry.request) };
  }
  return { ...common, ...entry.detail };
}
