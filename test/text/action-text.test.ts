import { expect, test } from 'vitest';
import { actionText } from '../../src/text/action-text.js';

test.each([
  ['authorizeDeposit', 'dashboard', 'Authorize deposit in the dashboard'],
  ['sendInvoiceReminder', 'control-api', 'Send invoice reminder through the control API'],
  ['view', 'guest', 'View by a guest'],
] as const)('%s by %s is described in words', (operation, by, expected) => {
  expect(actionText({ operation, by })).toBe(expected);
});
