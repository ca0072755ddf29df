import { html } from '@remix-run/html-template';
import type { RecordReference } from '../../../domain/activity.js';
import { invalidField, ServiceError } from '../../../domain/service-error.js';
import type { OperationId } from '../../../generated/billing-document.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import { memberOf } from '../../../lib/json.js';
import type { Operation } from '../../../openapi/document.js';
import type { Account } from '../../../simulation/account.js';
import { createInvoiceWithCustomer } from '../../../simulation/operations/invoices.js';
import type { World } from '../../../simulation/world.js';
import { asSentence, resourceName } from '../../../text/format.js';
import { validatorsOf } from '../../control/operations.js';
import { apiOf } from '../../document/profiles.js';
import { callRoute } from '../../service/call-route.js';
import { createRoutes } from '../../service/routes.js';
import { validated, violationsOf } from '../../service/validation.js';
import type { Views } from '../../service/views.js';
import { sectionByResource } from '../components/record-link.js';
import { sectionPath } from '../components/sections.js';
import type { ActionOutcome, ActionRequest } from './action.js';

/** The kind of record that an operation creates. */
const createdResources: { readonly [Id in OperationId]?: RecordReference['resource'] } = {
  createDeposit: 'deposit',
  createPaymentLink: 'payment_link',
  createInvoice: 'invoice',
};

/** The operations of the service, called as the owner of the account. */
export function ownerOperations({ accounts }: World, views: Views) {
  const routes = createRoutes(views, accounts);

  const invoke = <Id extends OperationId>(
    operation: Operation<Id>,
    { account, body, idOrName }: ActionRequest,
  ): ActionOutcome => {
    const id = operation.parameter ? integerOrText(idOrName) : '';
    return outcomeOf(account, operation.id, callRoute(routes, operation, { account, id, body }));
  };

  /** Creates an invoice, together with a new customer if the form has one. */
  const createInvoice = (request: ActionRequest): ActionOutcome => {
    const { account } = request;
    const { customer, ...body }: { readonly customer?: unknown; readonly customer_id?: unknown } = request.body;
    const operation = apiOf(account.profile).operation('createInvoice');
    if (body.customer_id !== undefined) {
      if (customer === undefined) return invoke(operation, { ...request, body });
      throw invalidField('customer', 'custom', { message: 'Choose a customer or enter a new one, not both.' });
    }
    const { validateBody: validateCustomer } = validatorsOf('createCustomer');
    const customerViolations =
      customer === undefined
        ? [
            {
              path: [],
              rule: 'custom',
              params: { message: 'Choose a customer, or enter the name and email of a new one.' },
            },
          ]
        : violationsOf(validateCustomer, customer);
    // Reports the errors of the invoice and of the customer together. The customer does not exist yet, so its id is a
    // placeholder, which `createInvoiceWithCustomer` replaces.
    const violations = [
      ...customerViolations.map(({ path, ...rest }) => ({ path: ['customer', ...path], ...rest })),
      ...violationsOf(operation.validateBody, { ...body, customer_id: 1 }),
    ];
    if (violations.length > 0) throw new ServiceError('invalid', { violations });
    const input = validated(operation.validateBody, { ...body, customer_id: 1 });
    const created = createInvoiceWithCustomer(account, {
      ...input,
      customer: validated(validateCustomer, customer),
    });
    return outcomeOf(account, 'createInvoice', { data: { id: created.id } });
  };

  return {
    /** Finds an operation that changes data. @returns undefined if there is none with this id */
    find(id: string, { profile }: Account): ((request: ActionRequest) => ActionOutcome) | undefined {
      if (id === 'createInvoice') return createInvoice;
      const operation = apiOf(profile).operations.find(
        (candidate) => candidate.id === id && candidate.method === 'post',
      );
      return operation && ((request) => invoke(operation, request));
    },
  };
}

/**
 * The notice after an operation, and the page of a record that it created.
 * @param response the body that the service returns
 */
function outcomeOf(account: Account, id: OperationId, response: unknown): ActionOutcome {
  const data = memberOf(response, 'data');
  const recordId = memberOf(data, 'id');
  const status = memberOf(data, 'status');
  const resource = createdResources[id];
  if (resource !== undefined && (typeof recordId === 'number' || typeof recordId === 'string')) {
    return {
      notice: { kind: 'done', content: html`<p>${asSentence(`${resourceName(resource)} created`)}</p>` },
      redirectTo: sectionPath(account.id, sectionByResource[resource], recordId),
    };
  }
  const message = memberOf(response, 'message') ?? 'Done';
  const content =
    status === undefined ? html`<p>${String(message)}.</p>` : html`<p>Done. Status: ${String(status)}.</p>`;
  return { notice: { kind: 'done', content } };
}
