import { expect, test } from 'vitest';
import { actionText } from '../../src/text/activity-text.js';

test.each([
  ['authorizeDeposit', 'dashboard', null, 'Authorize deposit in the dashboard'],
  ['sendInvoiceReminder', 'control-api', null, 'Send invoice reminder through the control API'],
  ['saveSnapshot', 'library', 'before-test', 'Save snapshot through the library: before-test'],
  ['view', 'guest', null, 'View by a guest'],
] as const)('%s by %s with the details %s is described in words', (operation, by, details, expected) => {
  expect(actionText({ operation, by, details })).toBe(expected);
});
