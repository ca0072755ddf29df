import { isRecord } from '../../../lib/json.js';
import { numberedId } from '../../engine/clause.js';
import { fieldConverter, isRefused, onData, onResponse, onSuccess } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { mutantForEachOperation, operationCases } from '../operation-mutants.js';
import { operationsWithData } from './setups.js';

/** Mutants for the clauses about the envelope of responses (ENV), except ENV-VALID. */
export const envelopeMutants: readonly MutantRow[] = [
  ...mutantForEachOperation(
    'ENV-SUCCESS',
    (name) => `\`success\` is a string when ${name} succeeds.`,
    ({ isCalledBy }) =>
      onResponse(
        (request, response) => isCalledBy(request) && !isRefused(response),
        ({ body }) => {
          body['success'] = 'true';
        },
      ),
  ),
  ...mutantForEachOperation(
    'ENV-ERROR',
    (name) => `${name} refuses an unauthorized request with the reason in \`message\` instead of \`error\`.`,
    ({ isCalledBy }) =>
      onResponse(
        (request, response) => isCalledBy(request) && request.token !== 'full' && isRefused(response),
        (response) => {
          response.body = { success: false, message: 'Not possible' };
        },
      ),
  ),
  ...operationCases
    .filter(({ id }) => operationsWithData.includes(id))
    .map(
      ({ number, name, isCalledBy, scope }): MutantRow => [
        numberedId('ENV-DATA', number),
        `${name} responds without \`data\` if the token has only one scope.`,
        onResponse(
          (request, response) => isCalledBy(request) && request.token === scope && !isRefused(response),
          (response) => {
            const { data } = response.body;
            response.body = { success: true, ...(typeof data === 'object' ? data : {}) };
          },
        ),
        { runsAfter: numberedId('AUTH-ADMITS', number) },
      ],
    ),
  [
    'ENV-FILTER-01',
    'The error for an invalid filter of payments has no `success` and no `error`.',
    onResponse(
      ({ path, query }, response) => path === '/payments' && query.has('from') && isRefused(response),
      (response) => {
        response.body = { message: 'The given data was invalid.', errors: response.body['errors'] };
      },
    ),
  ],
  [
    'ENV-JSON-03',
    'A body that is not valid JSON causes an error page with the status 500.',
    onResponse(
      ({ method, path, token }, { status }) =>
        method === 'POST' && path === '/payment-links' && token === 'full' && status === 400,
      (response) => {
        response.status = 500;
        response.text = '<h1>Server error</h1>';
      },
    ),
  ],
  [
    'ENV-MESSAGE-01',
    'The `message` of the invoice list is an array.',
    onSuccess('GET', '/invoices', ({ body }) => Object.assign(body, { message: ['Done'] })),
  ],
  [
    'ENV-ERRORS-01',
    '`errors` is an array of messages, without the names of the fields.',
    onResponse(
      (_request, response) => response.body['errors'] !== undefined,
      ({ body }) =>
        Object.assign(body, { errors: Object.values(isRecord(body['errors']) ? body['errors'] : {}).flat() }),
    ),
    { runsAfter: 'INV-RULE-01' },
  ],
  [
    'ENV-ERRORS-02',
    'An error that is not about a field has an empty array of `errors`.',
    onResponse(
      (_request, { status, body }) => status >= 400 && body['errors'] === undefined,
      ({ body }) => Object.assign(body, { errors: [] }),
    ),
  ],
  [
    'ENV-ERRORS-03',
    'The `error` of a request without a token is empty.',
    onResponse(
      ({ token }, { status }) => token === 'none' && status >= 400,
      ({ body }) => Object.assign(body, { error: '' }),
    ),
    { runsAfter: 'AUTH-NOTOKEN-01' },
  ],
  [
    'ENV-DATA-15',
    'The `data` of a reminder is a string.',
    onSuccess('POST', /\/reminder$/, ({ body }) => Object.assign(body, { data: 'sent' })),
    { runsAfter: 'INV-REMIND-01' },
  ],
  [
    'ENV-DECIMAL-01',
    '`total_outstanding` has the rounding error of a sum of floating-point numbers.',
    onData(
      'GET',
      '/invoices/stats',
      fieldConverter('total_outstanding', (sum) => Number(sum) * (1 + 2 ** -50)),
    ),
  ],
  [
    'ENV-DECIMAL-02',
    'The detail view of an invoice has its `amount` as a string.',
    onData('GET', /^\/invoices\/\d+$/, fieldConverter('amount', String)),
  ],
  [
    'ENV-JSON-01',
    'The invoice list is HTML if the token is read-only.',
    onSuccess('GET', '/invoices', (response, { token }) => {
      if (token === 'read') response.text = '<p>No invoices</p>';
    }),
    { runsAfter: 'AUTH-ADMITS-01' },
  ],
  [
    'ENV-JSON-02',
    'The invoice list has the content type `text/plain`.',
    onSuccess('GET', '/invoices', ({ headers }) => Object.assign(headers, { 'content-type': 'text/plain' })),
  ],
];
