import type { Deviation, Part } from '../../proxy/deviation.js';

/** Names of the parts of a request or a response. */
const partNames: Record<Part, string> = {
  route: 'route',
  token: 'Authorization header',
  scope: 'scope',
  path: 'path parameter',
  query: 'query parameter',
  header: 'header',
  'media-type': 'Content-Type header',
  body: 'body',
  status: 'status',
};

/** Formats a deviation on one line. */
export function deviationLine({ severity, operation, status, side, part, at, message, gaps }: Deviation): string {
  const location = [side, partNames[part], at].filter((word) => word !== '').join(' ');
  const reason = gaps.length > 0 ? ` (gap ${gaps.join(', ')})` : '';
  return `${severity.padEnd(5)}  ${operation} → ${status}  ${location}: ${message}${reason}`;
}
