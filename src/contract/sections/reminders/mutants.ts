import type { InterceptedRequest, InterceptedResponse, Interceptor } from '../../mutation/interceptor.js';
import { inTurn, onAnswer, onAny, onRecord, put, refuse } from '../../mutation/interceptors.js';
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
    put(body, { error });

function notOfTheOld(): Interceptor {
  const old = new Set<string>();
  return inTurn(
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
    'No reminder is sent with a token of both scopes.',
    () => onAnswer('POST', reminder, (response, { token }) => token === 'full' && refuse(response, 400)),
  ],
  [
    'INV-REMIND-02',
    'The message about a reminder is in other words.',
    () => onAnswer('POST', reminder, ({ body }) => put(body, { message: 'Sent' })),
  ],
  ['INV-REMIND-08', 'No reminder is sent of what was due long ago.', notOfTheOld],
  ['INV-REMIND-04', 'A reminder of a paid invoice is refused with 409.', refused(400, withStatus(409))],
  ['INV-REMIND-05', 'That an invoice is paid is said in other words.', refused(400, withError('Invoice already paid'))],
  ['INV-REMIND-06', 'A reminder of no invoice is refused with 400.', refused(404, withStatus(400))],
  [
    'INV-REMIND-07',
    'The error of a reminder of an unknown invoice has other words.',
    refused(404, withError('Not Found')),
  ],
]);
