import type { ScenarioStep, ScenarioSubject, VerbName } from '../../domain/scenario.js';
import { ServiceError } from '../../domain/service-error.js';
import { addFault } from '../faults/faults.js';
import {
  authorizeDeposit,
  captureDeposit,
  captureShare,
  declineDeposit,
  expireDeposit,
  releaseDeposit,
} from '../operations/deposits.js';
import { changeInvoice } from '../operations/invoices.js';
import { createInvoicePayment, createLinkPayment, type PaymentOutcome } from '../operations/payments.js';
import type { WritableAccount } from '../transaction.js';

/**
 * Performs the verb of a step on a record. The step was validated by fixtures/scenarios/scenario.schema.json.
 * @throws ServiceError if the status of the record does not allow it
 */
type VerbHandler = (account: WritableAccount, id: number | string, step: ScenarioStep) => unknown;

/** Adds a fault, such as an error response to later requests, to the account of the record. */
const addFaultOfStep: VerbHandler = (account, _id, { fault }) => {
  if (!fault) throw new Error('a step that adds a fault has none');
  const { until } = fault;
  if (until !== null && Date.parse(until) <= account.now()) {
    throw new ServiceError('invalid', {
      hint: `the fault would have ended at ${until}; use \`for\` instead of \`until\``,
    });
  }
  addFault(account, fault);
};

/** All verbs, the actions of scenario steps: what each does to each kind of record that supports it. */
export const verbs: Readonly<Record<VerbName, Partial<Record<ScenarioSubject, VerbHandler>>>> = {
  authorize: { deposit: authorizeDeposit },
  decline: { deposit: declineDeposit },
  capture: {
    deposit: (account, id, step) => {
      const amount = numberOf(step, 'amount');
      const share = numberOf(step, 'share');
      const description = textOf(step, 'description');
      const described = description === undefined ? {} : { description };
      if (share === undefined)
        captureDeposit(account, id, { ...(amount === undefined ? {} : { amount }), ...described });
      else captureShare(account, id, share, described);
    },
  },
  release: { deposit: releaseDeposit },
  expire: { deposit: expireDeposit },
  pay: {
    invoice: (account, id, step) =>
      createInvoicePayment(account, id, {
        amount: numberOf(step, 'amount'),
        method: textOf(step, 'method'),
      }),
    payment_link: (account, id, step) =>
      createLinkPayment(account, id, { outcome: outcomeOf(step), method: textOf(step, 'method') }),
  },
  // Creates a failed payment.
  fail: {
    invoice: (account, id, step) =>
      createInvoicePayment(account, id, { outcome: 'failed', method: textOf(step, 'method') }),
    payment_link: (account, id, step) =>
      createLinkPayment(account, id, { outcome: 'failed', method: textOf(step, 'method') }),
  },
  finalize: { invoice: (account, id) => changeInvoice(account, id, 'finalize') },
  send: { invoice: (account, id) => changeInvoice(account, id, 'send') },
  view: { invoice: (account, id) => changeInvoice(account, id, 'view') },
  cancel: { invoice: (account, id) => changeInvoice(account, id, 'cancel') },
  fault: { deposit: addFaultOfStep, invoice: addFaultOfStep, payment_link: addFaultOfStep },
};

/** Returns a parameter of a step; undefined if it is missing or not a number. */
function numberOf(step: ScenarioStep, name: string): number | undefined {
  const value = step.with[name];
  return typeof value === 'number' ? value : undefined;
}

/** Returns a parameter of a step; undefined if it is missing or not a string. */
function textOf(step: ScenarioStep, name: string): string | undefined {
  const value = step.with[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the `outcome` parameter; undefined if it is missing. */
function outcomeOf(step: ScenarioStep): PaymentOutcome | undefined {
  const { outcome } = step.with;
  return outcome === 'paid' || outcome === 'failed' || outcome === 'pending' ? outcome : undefined;
}
