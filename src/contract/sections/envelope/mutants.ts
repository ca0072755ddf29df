import { isRecord } from '../../../lib/is-record.js';
import { onAnswer, onAny } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf, numbered, type Row } from '../../mutation/mutant.js';
import { everyOperation, forEachOperation, isRefused } from '../authentication/mutants.js';

/** Numbers of the operations that return `data`. */
const withData = [2, 3, 4, 8, 11, 12];

/** Mutants of the envelope. */
export const envelopeMutants: readonly Mutant[] = [
  ...forEachOperation(
    'ENV-SUCCESS',
    (name) => `\`success\` is a text when ${name} succeeds.`,
    ({ isSelected }) =>
      onAny(
        (request, response) => isSelected(request) && !isRefused(response),
        ({ body }) => {
          body['success'] = 'true';
        },
      ),
  ),
  ...forEachOperation(
    'ENV-ERROR',
    (name) => `The refusal of an unauthorized request by ${name} gives the reason in \`message\`.`,
    ({ isSelected }) =>
      onAny(
        (request, response) => isSelected(request) && request.token !== 'full' && isRefused(response),
        (response) => {
          response.body = { success: false, message: 'Not possible' };
        },
      ),
  ),
  ...mutantsOf(
    everyOperation
      .filter(({ number }) => withData.includes(number))
      .map(
        ({ number, name, isSelected, scope }): Row => [
          numbered('ENV-DATA', number),
          `${name} responds without \`data\` if the token has only one scope.`,
          () =>
            onAny(
              (request, response) => isSelected(request) && request.token === scope && !isRefused(response),
              (response) => {
                const { data } = response.body;
                response.body = { success: true, ...(typeof data === 'object' ? data : {}) };
              },
            ),
          numbered('AUTH-ADMITS', number),
        ],
      ),
  ),
  ...mutantsOf([
    [
      'ENV-MESSAGE-01',
      'The `message` of a list is an array.',
      () => onAnswer('GET', '/invoices', ({ body }) => void Object.assign(body, { message: ['Done'] })),
    ],
    [
      'ENV-ERRORS-01',
      '`errors` is a list of messages, without the names of the fields.',
      () =>
        onAny(
          (_request, response) => response.body['errors'] !== undefined,
          ({ body }) =>
            void Object.assign(body, { errors: Object.values(isRecord(body['errors']) ? body['errors'] : {}).flat() }),
        ),
      'INV-RULE-01',
    ],
    [
      'ENV-JSON-01',
      'Requests with a read-only token are answered with HTML.',
      () =>
        onAnswer('GET', '/invoices', (response, { token }) => {
          if (token === 'read') response.text = '<p>No invoices</p>';
        }),
      'AUTH-ADMITS-01',
    ],
    [
      'ENV-JSON-02',
      'Responses have the content type `text/plain`.',
      () =>
        onAnswer('GET', '/invoices', ({ headers }) => void Object.assign(headers, { 'content-type': 'text/plain' })),
    ],
  ]),
];
