import { type GapCases, openAccount, openDefaultAccount } from '../test-account.js';

/** Tests of gaps (questions that the specification leaves open) about tokens and scopes. */
export const auth: GapCases = {
  'auth.unauthenticated': {
    async probe(choices) {
      // The default account responds to requests without a valid token.
      const client = await openDefaultAccount(choices);
      const withoutToken = await client.get('/invoices', { token: 'none' });
      const unknownToken = await client.post('/payment-links', {}, { token: 'made-up' });
      return [withoutToken.status, withoutToken.error, unknownToken.status, unknownToken.error];
    },
    choiceValues: { answer: { status: 418, error: 'Who are you?' } },
    expected: {
      '401': [401, 'Unauthenticated.', 401, 'Unauthenticated.'],
      '403': [403, 'Unauthenticated.', 403, 'Unauthenticated.'],
      answer: [418, 'Who are you?', 418, 'Who are you?'],
    },
  },

  'auth.scope': {
    async probe(choices) {
      const client = await openAccount(choices);
      const writeWithReadToken = await client.post('/payment-links', {}, { token: 'read' });
      const readWithWriteToken = await client.get('/invoices', { token: 'write' });
      return [writeWithReadToken.status, writeWithReadToken.error, readWithWriteToken.status, readWithWriteToken.error];
    },
    choiceValues: { answer: { status: 404, error: 'You see nothing.' } },
    expected: {
      '403': [403, 'Invalid scope(s) provided.', 403, 'Invalid scope(s) provided.'],
      '401': [401, 'Invalid scope(s) provided.', 401, 'Invalid scope(s) provided.'],
      answer: [404, 'You see nothing.', 404, 'You see nothing.'],
    },
  },

  'auth.token-lifetime': {
    async probe(choices) {
      const client = await openAccount(choices, { now: '2026-03-01T09:00:00Z' });
      const statuses: number[] = [];
      for (const now of ['2026-03-01T10:29:59Z', '2026-03-01T10:30:00Z', '2036-03-01T09:00:00Z']) {
        client.freezeClockAt(now);
        statuses.push((await client.get('/invoices')).status);
      }
      return statuses;
    },
    choiceValues: { after: '1h 30m' },
    expected: { never: [200, 200, 200], after: [200, 401, 401] },
  },
};
