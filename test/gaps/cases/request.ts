import { type GapCases, openAccount } from '../test-account.js';

/** Tests of gaps (questions that the specification leaves open) about requests as a whole. */
export const request: GapCases = {
  'request.malformed-json': {
    async probe(choices) {
      const client = await openAccount(choices);
      const response = await client.send('POST', '/payment-links', '{"description": "March", amount');
      return [response.status, response.error];
    },
    expected: {
      '400': [400, 'The request body is not valid JSON.'],
      'as-empty': [422, 'The description field is required. (and 1 more error)'],
    },
  },

  'request.not-found': {
    async probe(choices) {
      const client = await openAccount(choices);
      const responses = [
        await client.get('/invoices/999999'),
        await client.get('/deposits/999999'),
        await client.post('/deposits/999999/release'),
        await client.get('/customers'),
        // The specification defines this response, so the gap does not affect it.
        await client.post('/invoices/999999/reminder'),
        await client.post('/invoices/abc/reminder'),
      ];
      return responses.map(({ status, error }) => `${status} ${error}`);
    },
    choiceValues: {
      error: 'Nothing here',
      errors: { invoice: 'No such invoice', deposit: 'No such deposit', route: 'No such place' },
    },
    expected: {
      named: [
        '404 Invoice not found',
        '404 Deposit not found',
        '404 Deposit not found',
        '404 Route not found',
        '404 Invoice not found',
        '404 Invoice not found',
      ],
      error: [
        '404 Nothing here',
        '404 Nothing here',
        '404 Nothing here',
        '404 Nothing here',
        '404 Invoice not found',
        '404 Invoice not found',
      ],
      errors: [
        '404 No such invoice',
        '404 No such deposit',
        '404 No such deposit',
        '404 No such place',
        '404 Invoice not found',
        '404 Invoice not found',
      ],
    },
  },

  'request.method': {
    async probe(choices) {
      const client = await openAccount(choices);
      const responses = [
        await client.send('DELETE', '/invoices', undefined),
        await client.send('PUT', '/invoices/1', undefined),
        await client.get('/deposits/1/capture'),
      ];
      return responses.map(({ status, error, header }) => [status, error, header('Allow')]);
    },
    expected: {
      '405': [
        [405, 'Method not allowed', 'GET, HEAD, POST'],
        [405, 'Method not allowed', 'GET, HEAD'],
        [405, 'Method not allowed', 'POST'],
      ],
      '404': [
        [404, 'Route not found', null],
        [404, 'Route not found', null],
        [404, 'Route not found', null],
      ],
    },
  },

  'request.trailing-slash': {
    async probe(choices) {
      const client = await openAccount(choices);
      const responses = [
        await client.get('/invoices/'),
        await client.get('/invoices/1/?a=/'),
        await client.get('/deposits//'),
        await client.post('/payment-links/', { description: 'March', amount: 1 }),
        await client.get('/invoices/unknown/'),
      ];
      return responses.map(({ status, error }) => [status, error]);
    },
    expected: {
      'not-found': [
        [404, 'Route not found'],
        [404, 'Route not found'],
        [404, 'Route not found'],
        [404, 'Route not found'],
        [404, 'Route not found'],
      ],
      ignored: [
        [200, undefined],
        [200, undefined],
        [200, undefined],
        [201, undefined],
        [404, 'Invoice not found'],
      ],
    },
  },

  'request.content-type': {
    async probe(choices) {
      const client = await openAccount(choices);
      const types = ['text/plain', 'text/plain; charset=iso-8859-1', 'application/json; charset=utf-16'];
      const responses = types.map((type) =>
        client.send('POST', '/payment-links', '{"description": "March", "amount": 1}', {
          headers: { 'Content-Type': type },
        }),
      );
      return (await Promise.all(responses)).map(({ status, error }) => [status, error]);
    },
    expected: {
      '415': [
        [415, 'The request body must be application/json.'],
        [415, 'The request body must be application/json.'],
        [415, 'The request body must be application/json.'],
      ],
      parsed: [
        [201, undefined],
        [201, undefined],
        [201, undefined],
      ],
    },
  },
};
