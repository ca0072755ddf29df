import { expect, test } from 'vitest';
import { agendaItemText } from '../../src/http/dashboard/components/agenda-item.js';
import { formatAgendaItem, formatRelativeTime } from '../../src/text/agenda-text.js';
import { visibleText } from '../pages/html-text.js';

test.each([
  ['invoice-falls-due', 3, 'invoice 3 becomes overdue'],
  ['deposit-expires', 3, 'deposit 3 expires'],
  // A payment also fails, if its card does, or if the guest does not answer the bank in time.
  ['payment-ends', 9, 'payment 9 succeeds or fails'],
  ['key-forgotten', 'demo/full/key', 'the Idempotency-Key of demo/full/key expires'],
  ['delivery-attempt', 'evt_1', 'webhook evt_1 is sent'],
  ['mail-attempt', 1, 'email 1 is sent'],
  ['scenario-step', 2, 'scenario run 2 continues'],
] as const)('an agenda item %s reads the same on the command line and in the dashboard', (kind, id, text) => {
  expect(formatAgendaItem({ kind, id })).toBe(text);
  expect(visibleText(agendaItemText('demo', { kind, id }).toString())).toBe(text);
});

test.each([
  ['2026-03-01T10:35:00Z', 'in 1 h 35 min'],
  ['2026-03-01T09:00:00.500Z', 'now'],
  ['2026-03-01T07:25:00Z', '1 h ago'],
])('relative to 09:00, %s is %s: users plan with a time to come, so it is more exact', (at, text) => {
  expect(formatRelativeTime(at, '2026-03-01T09:00:00Z')).toBe(text);
});
