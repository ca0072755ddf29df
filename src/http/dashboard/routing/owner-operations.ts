import { html } from '@remix-run/html-template';
import type { OperationId } from '../../../generated/billing-document.js';
import { memberOf } from '../../../lib/member-of.js';
import { parseJson } from '../../../lib/parse-json.js';
import type { Operation } from '../../../openapi/document.js';
import type { Account } from '../../../simulation/account.js';
import type { World } from '../../../simulation/world.js';
import { asSentence } from '../../../text/format.js';
import { apiOf } from '../../document/profiles.js';
import { readInteger } from '../../service/query.js';
import { createRoutes } from '../../service/routes.js';
import { validated, validateQuery } from '../../service/validation.js';
import type { Views } from '../../service/views.js';
import { addressOf, type Section } from '../components/dashboard.js';
import type { ActionOutcome, ActionRequest } from './form-action.js';

/** Operations that create records, with the noun and the section of the record. */
const createdRecords: { readonly [Id in OperationId]?: readonly [noun: string, section: Section] } = {
  createDeposit: ['deposit', 'deposits'],
  createPaymentLink: ['payment link', 'payment-links'],
  createInvoice: ['invoice', 'invoices'],
};

/**
 * The operations of the service, called as the owner of the account: with the same validation and the same use
 * cases, but without token, key, rate limit and faults.
 */
export function ownerOperations({ accounts }: World, views: Views) {
  const routes = createRoutes(views, accounts);

  const invoke = <Id extends OperationId>(
    operation: Operation<Id>,
    { account, body, name }: ActionRequest,
  ): ActionOutcome => {
    const { id, status, parameter, takesBody, validateBody } = operation;
    const answer = routes[id]({
      account,
      api: apiOf(account.profile),
      status,
      id: parameter ? readInteger(name) : '',
      query: validateQuery(operation, new URLSearchParams(), account.profile),
      body: validated(validateBody, takesBody ? body : undefined),
      idempotencyKey: undefined,
    });
    return outcomeOf(account, id, parseJson(answer.body));
  };

  return {
    /** Finds an operation that changes data. */
    find(id: string, { profile }: Account): ((request: ActionRequest) => ActionOutcome) | undefined {
      const found = apiOf(profile).operations.find((operation) => operation.id === id && operation.method === 'post');
      return found && ((request) => invoke(found, request));
    },
  };
}

/** @param response the body of a response of the service */
function outcomeOf(account: Account, id: OperationId, response: unknown): ActionOutcome {
  const data = memberOf(response, 'data');
  const recordId = memberOf(data, 'id');
  const status = memberOf(data, 'status');
  const [noun, section] = createdRecords[id] ?? [];
  if (section !== undefined && (typeof recordId === 'number' || typeof recordId === 'string')) {
    return {
      notice: { kind: 'done', content: html`<p>${asSentence(`${noun} created`)}</p>` },
      leadsTo: addressOf(account.id, section, recordId),
    };
  }
  const message = memberOf(response, 'message') ?? 'Done';
  const content =
    status === undefined ? html`<p>${String(message)}.</p>` : html`<p>Done. Status: ${String(status)}.</p>`;
  return { notice: { kind: 'done', content } };
}
