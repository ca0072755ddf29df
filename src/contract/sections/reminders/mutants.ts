import type { InterceptedRequest, InterceptedResponse, Interceptor } from '../../mutation/interceptor.js';
import {
  combine,
  onData,
  onOverdue,
  onResponse,
  onSuccess,
  refuseFullToken,
  replaceWithError,
  replaceWithSuccess,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { dayOf } from '../../predicates/filters.js';

const reminderPath = /^\/invoices\/\d+\/reminder$/;

/**
 * Changes the responses to reminder requests that are refused with `status`. Leaves the responses to tokens without both
 * scopes as they are, since the clauses about scopes check those.
 */
const changeError = (status: number, change: (response: InterceptedResponse) => void): Interceptor =>
  onResponse(
    ({ path, token }: InterceptedRequest, response) =>
      reminderPath.test(path) && token === 'full' && response.status === status,
    change,
  );

const setStatus =
  (status: number) =>
  (response: InterceptedResponse): void => {
    response.status = status;
  };

const setError =
  (error: string) =>
  ({ body }: InterceptedResponse) =>
    Object.assign(body, { error });

/** Changes the responses to reminders for invoices created during the run, if `isSelected` accepts their due date. */
const changeByDueDate =
  (isSelected: (dueDate: string) => boolean, change: (response: InterceptedResponse) => unknown) => (): Interceptor => {
    const selectedPaths = new Set<string>();
    return combine(
      onData('POST', '/invoices', (invoice) => {
        if (isSelected(String(invoice['due_date']))) selectedPaths.add(`/invoices/${invoice['id']}/reminder`);
      }),
      onResponse(({ path }) => selectedPaths.has(path), change),
    );
  };

const replaceSuccessWithError = (response: InterceptedResponse): void => {
  if (response.status < 300) replaceWithError(response);
};

/** Refuses each reminder for an invoice after the first one. */
function refuseSecondReminder(): Interceptor {
  const remindedPaths = new Set<string>();
  return onSuccess('POST', reminderPath, (response, { path }) => {
    if (remindedPaths.has(path)) replaceWithError(response);
    remindedPaths.add(path);
  });
}

/** Leaves invoices for which a reminder was sent out of the overdue list. */
function hideReminded(): Interceptor {
  const remindedIds = new Set<string>();
  return combine(
    onSuccess('POST', reminderPath, (_response, { path }) => remindedIds.add(String(path.split('/')[2]))),
    onOverdue((records) => records.filter(({ id }) => !remindedIds.has(String(id)))),
  );
}

/** Leaves invoices for which a reminder was sent out of `total_outstanding`. */
function omitRemindedAmounts(): Interceptor {
  const amounts = new Map<string, number>();
  const remindedPaths = new Set<string>();
  return combine(
    onData('POST', '/invoices', ({ id, amount }) => amounts.set(`/invoices/${id}/reminder`, Number(amount))),
    onSuccess('POST', reminderPath, (_response, { path }) => remindedPaths.add(path)),
    onData('GET', '/invoices/stats', (statistics) => {
      for (const path of remindedPaths)
        Object.assign(statistics, {
          total_outstanding: Number(statistics['total_outstanding']) - (amounts.get(path) ?? 0),
        });
    }),
  );
}

/** Mutants for the clauses about reminders (INV-REMIND). */
export const reminderMutants: readonly MutantRow[] = [
  [
    'INV-REMIND-01',
    'Sending a reminder with a token that has both scopes is refused.',
    // A plausible status: the specification documents it, but only for paid invoices.
    refuseFullToken('POST', reminderPath, 400),
  ],
  [
    'INV-REMIND-02',
    'The message in the response to a reminder for an overdue invoice is worded differently.',
    // The suite creates some invoices that were due in 2020.
    changeByDueDate(
      (dueDate) => dueDate < '2021',
      ({ status, body }) => status < 300 && Object.assign(body, { message: 'Sent' }),
    ),
  ],
  [
    'INV-REMIND-08',
    'A reminder for an invoice that has been overdue for a long time is refused.',
    // The suite creates some invoices that were due in 2020.
    changeByDueDate((dueDate) => dueDate < '2021', replaceSuccessWithError),
  ],
  [
    'INV-REMIND-10',
    'A reminder for an invoice that is due today is refused.',
    changeByDueDate((dueDate) => dueDate === dayOf(Date.now()), replaceSuccessWithError),
  ],
  ['INV-REMIND-11', 'A second reminder for an invoice is refused.', refuseSecondReminder],
  [
    'INV-REMIND-12',
    'A reminder for a paid invoice is sent if the invoice is not due yet.',
    changeByDueDate(
      (dueDate) => Date.parse(dueDate) > Date.now(),
      (response) => response.status === 400 && replaceWithSuccess(response),
    ),
  ],
  ['INV-REMIND-04', 'A reminder for a paid invoice is refused with 409.', changeError(400, setStatus(409))],
  [
    'INV-REMIND-05',
    'The error for an invoice that was paid before its due date is worded differently.',
    changeByDueDate(
      (dueDate) => Date.parse(dueDate) > Date.now(),
      (response) => response.status === 400 && setError('Invoice already paid')(response),
    ),
  ],
  ['INV-REMIND-06', 'A reminder for a nonexistent invoice is refused with 400.', changeError(404, setStatus(400))],
  [
    'INV-REMIND-07',
    'The error for a nonexistent invoice is worded differently.',
    changeError(404, setError('Not Found')),
  ],
  ['INV-REMIND-13', '`total_outstanding` leaves out invoices for which a reminder was sent.', omitRemindedAmounts],
  ['INV-REMIND-09', 'An invoice is not listed as overdue after a reminder.', hideReminded],
];
