import { type Departure, isRefusal, type Part } from '../proxy/departure.js';

/** What a part of a request or an answer is called; some are told by what stands in them. */
const parts: Record<Part, string> = {
  route: 'route',
  token: 'header Authorization',
  scope: 'scope',
  path: 'path parameter',
  query: 'query parameter',
  header: 'header',
  'media-type': 'header Content-Type',
  body: 'body',
  status: 'status',
};

/** A departure on one line. */
export function departureLine({ severity, operation, status, side, part, at, message, gaps }: Departure): string {
  const place = [side, parts[part], at].filter((word) => word !== '').join(' ');
  return `${severity.padEnd(5)}  ${operation} → ${status}  ${place}: ${message}${reason(severity, side, status, gaps)}`;
}

/** Why it is a note. */
function reason(
  severity: Departure['severity'],
  side: Departure['side'],
  status: number,
  gaps: readonly string[],
): string {
  if (gaps.length > 0) return ` (gap ${gaps.join(', ')})`;
  return severity === 'note' && side === 'request' && isRefusal(status) ? ' (and it was refused)' : '';
}
