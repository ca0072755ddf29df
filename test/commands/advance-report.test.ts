import { expect, test } from 'vitest';
import { formatAdvanceReport } from '../../src/commands/simulator/advance-report-text.js';

/** Lists what happened while the clock of an account advanced. */
type AdvanceReport = Parameters<typeof formatAdvanceReport>[0];

const from = '2026-03-01T09:00:00.000Z';
const to = '2026-03-09T09:00:00.000Z';
const deposit = { resource: 'deposit', id: 8 } as const;
const deliveryFields = { event: 'deposit.expired', delivery_id: 'evt_1' } as const;

test('the report of a clock advance lists the steps in order, then the totals, then what is still in progress', () => {
  const report: AdvanceReport = {
    from,
    to,
    steps: [
      {
        at: '2026-03-08T09:00:00.000Z',
        kind: 'transition',
        subject: deposit,
        cause: 'expire',
        from: 'authorized',
        to: 'expired',
      },
      {
        at: '2026-03-08T09:00:00.000Z',
        kind: 'event',
        id: 'evt_1',
        event: 'deposit.expired',
        subject: deposit,
        sent: true,
      },
      {
        at: '2026-03-08T09:00:00.000Z',
        kind: 'attempt',
        ...deliveryFields,
        number: 1,
        status: 500,
        error: null,
        next_attempt_at: '2026-03-08T09:00:05.000Z',
        applied_faults: [],
      },
      {
        at: '2026-03-08T09:00:05.000Z',
        kind: 'attempt',
        ...deliveryFields,
        number: 2,
        status: null,
        error: 'connection refused',
        next_attempt_at: '2026-03-08T09:05:05.000Z',
        applied_faults: [],
      },
      {
        at: '2026-03-08T09:05:05.000Z',
        kind: 'attempt',
        ...deliveryFields,
        number: 3,
        status: 204,
        error: null,
        next_attempt_at: null,
        applied_faults: [],
      },
      {
        at: '2026-03-08T09:05:06.000Z',
        kind: 'attempt',
        ...deliveryFields,
        number: 4,
        status: 410,
        error: null,
        next_attempt_at: null,
        applied_faults: [],
      },
      {
        at: '2026-03-08T10:00:00.000Z',
        kind: 'event',
        id: 'evt_2',
        event: 'payment.succeeded',
        subject: { resource: 'payment', id: 1 },
        sent: false,
      },
      {
        at: '2026-03-08T11:00:00.000Z',
        kind: 'scenario',
        id: 1,
        scenario: 'no-show',
        subject: deposit,
        status: 'done',
        completed_steps: 1,
        reason: null,
      },
      {
        at: '2026-03-08T11:00:00.000Z',
        kind: 'scenario',
        id: 2,
        scenario: 'late',
        subject: deposit,
        status: 'stopped',
        completed_steps: 2,
        reason: 'capture: the deposit is expired',
      },
      { at: '2026-03-08T12:00:00.000Z', kind: 'mail', id: 1, to: 'ada@example.com', subject: 'Reminder', error: null },
      {
        at: '2026-03-08T12:00:00.000Z',
        kind: 'mail',
        id: 1,
        to: 'ada@example.com',
        subject: 'Reminder',
        error: 'connection refused',
      },
    ],
    in_progress: ['evt_2', 'email 1'],
  };
  expect(formatAdvanceReport(report)).toBe(
    [
      '2026-03-08 09:00:00  deposit 8                   authorized → expired (expire)',
      '2026-03-08 09:00:00  deposit.expired evt_1       for deposit 8',
      '2026-03-08 09:00:00  deposit.expired evt_1       → 500 on attempt 1, retry at 2026-03-08 09:00:05',
      '2026-03-08 09:00:05  deposit.expired evt_1       → connection refused on attempt 2, retry at 2026-03-08 09:05:05',
      '2026-03-08 09:05:05  deposit.expired evt_1       → 204 on attempt 3',
      '2026-03-08 09:05:06  deposit.expired evt_1       → 410 on attempt 4, no retry',
      '2026-03-08 10:00:00  payment.succeeded evt_2     for payment 1, not sent: no webhook URL was set',
      '2026-03-08 11:00:00  scenario no-show, run 1     done on deposit 8 after 1 step',
      '2026-03-08 11:00:00  scenario late, run 2        stopped on deposit 8 after 2 steps: capture: the deposit is expired',
      '2026-03-08 12:00:00  email 1 to ada@example.com  Reminder',
      '2026-03-08 12:00:00  email 1 to ada@example.com  Reminder: not sent, connection refused',
      '',
      '8 d from 2026-03-01 09:00:00 to 2026-03-09 09:00:00: 1 transition, 2 events, 4 attempts (3 failed), 1 email',
      'Still in progress: evt_2, email 1',
    ].join('\n'),
  );
});

test('the duration of an advance has all its units', () => {
  expect(formatAdvanceReport({ from, to: '2026-03-02T09:30:05.000Z', steps: [], in_progress: [] })).toMatch(
    /^1 d 30 min 5 s from 2026-03-01 09:00:00 to 2026-03-02 09:30:05: /,
  );
});

test('an empty report is one line', () => {
  expect(formatAdvanceReport({ from, to: from, steps: [], in_progress: [] })).toBe(
    '0 s from 2026-03-01 09:00:00 to 2026-03-01 09:00:00: 0 transitions, 0 events, 0 attempts, 0 emails',
  );
});
