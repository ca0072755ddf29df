/** Headings of the specification, word for word. Each clause belongs to one of them; reports are grouped by them. */
export const headings = [
  'What the service does',
  'Resources and their fields',
  'Common response envelope',
  'Pagination envelope (list endpoints)',
  'Invoice',
  'Invoice statistics',
  'Payment link',
  'Payment',
  'Security deposit',
  'States and transitions',
  'Endpoints',
  'GET /invoices',
  'GET /invoices/{invoice}',
  'GET /invoices/stats',
  'GET /invoices/overdue',
  'POST /invoices',
  'POST /invoices/{invoice}/reminder',
  'POST /payment-links',
  'GET /payment-links',
  'GET /payments',
  'POST /deposits',
  'GET /deposits',
  'GET /deposits/{id}',
  'POST /deposits/{id}/capture',
  'POST /deposits/{id}/release',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
] as const;

export type Heading = (typeof headings)[number];

/** Lists the headings that clauses belong to, in the order of the specification. */
export function headingsOf(clauses: readonly { readonly spec: string }[]): Heading[] {
  return headings.filter((heading) => clauses.some(({ spec }) => spec === heading));
}
