import type { InterceptedRequest, InterceptedResponse, Interceptor } from '../../mutation/interceptor.js';
import { chain, onAnswer, onAny, onRecord, refuse, setFields } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const reminder = /^\/invoices\/\d+\/reminder$/;

const refused =
  (status: number, change: (response: InterceptedResponse) => void): (() => Interceptor) =>
  () =>
    onAny(
      ({ path, token }: InterceptedRequest, response) =>
        reminder.test(path) && token === 'full' && response.status === status,
      change,
    );

const withStatus =
  (status: number) =>
  (response: InterceptedResponse): void => {
    response.status = status;
  };

const withError =
  (error: string) =>
  ({ body }: InterceptedResponse): void =>
    setFields(body, { error });

function refuseOldInvoices(): Interceptor {
  const old = new Set<string>();
  return chain(
    onRecord('POST', '/invoices', (invoice) => {
      if (String(invoice['due_date']) < '2021') old.add(`/invoices/${invoice['id']}/reminder`);
    }),
    onAny(
      ({ path }, { status }) => old.has(path) && status < 300,
      (response) => refuse(response),
    ),
  );
}

/** Mutants of reminders. */
export const reminderMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-REMIND-01',
    'Sending a reminder with a token that has both scopes is refused.',
    () => onAnswer('POST', reminder, (response, { token }) => token === 'full' && refuse(response, 400)),
  ],
  [
    'INV-REMIND-02',
    'The message about a reminder is worded differently.',
    () => onAnswer('POST', reminder, ({ body }) => setFields(body, { message: 'Sent' })),
  ],
  ['INV-REMIND-08', 'A reminder for an invoice that has been overdue for long is refused.', refuseOldInvoices],
  ['INV-REMIND-04', 'A reminder of a paid invoice is refused with 409.', refused(400, withStatus(409))],
  [
    'INV-REMIND-05',
    'The error for a paid invoice is worded differently.',
    refused(400, withError('Invoice already paid')),
  ],
  ['INV-REMIND-06', 'A reminder of no invoice is refused with 400.', refused(404, withStatus(400))],
  ['INV-REMIND-07', 'The error for an unknown invoice is worded differently.', refused(404, withError('Not Found'))],
]);
