import type { components } from '../../generated/control-validated-types.js';
import { formatTime } from '../../text/format.js';

/** Returns the cells of the line about a request in a log. */
export function requestCells({
  at,
  status,
  method,
  path,
  id,
  error,
  faults,
}: components['schemas']['LoggedRequest']): string[] {
  return [
    formatTime(at),
    id,
    String(status ?? 'no response'),
    method,
    path,
    ...(error === null ? [] : [error]),
    ...(faults.length === 0 ? [] : [`(${faults.join(', ')})`]),
  ];
}
