import { html } from '@remix-run/html-template';
import { defaultAccountId } from '../../../domain/defaults.js';
import { ServiceError } from '../../../domain/service-error.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { getFault, unclearedFaultsOf } from '../../../simulation/faults/faults.js';
import { getScenario } from '../../../simulation/scenarios/scenarios.js';
import { getSnapshot } from '../../../simulation/seeding/snapshots.js';
import { getToken } from '../../../simulation/tokens.js';
import { describeFaultCounts } from '../../../text/fault-text.js';
import { formatCount } from '../../../text/format.js';
import type { HandledOperationId } from '../../control/operations.js';
import { type Confirmation, confirmationPage } from '../components/confirmation.js';
import { returnToName } from '../components/form-fields.js';
import { sectionPath } from '../components/sections.js';
import { timestamp } from '../components/timestamp.js';
import { type PageContext, sectionOf } from '../routing/page.js';
import { localPath } from '../routing/sign-in.js';

/**
 * Builds the confirmation of an operation that cannot be undone.
 * @param idOrName the id or name of the record; empty if the operation has none
 * @throws ServiceError if the record does not exist
 */
type BuildConfirmation = (account: Account, idOrName: string) => Confirmation;

const confirmations: { readonly [Id in HandledOperationId]?: BuildConfirmation } = {
  resetCoverage: () => ({
    title: 'Reset coverage?',
    consequences: html`<p>Resets all counters of this account to zero, also for the <code>coverage</code> command and the library.</p>`,
    button: 'Reset coverage',
  }),

  deleteAccount(account) {
    if (account.id === defaultAccountId) throw new ServiceError('account-not-removable', { hint: 'reset it instead' });
    const { invoices, paymentLinks, payments, deposits, customers, snapshots } = account;
    const deletedCounts = [
      formatCount(invoices.size, 'invoice'),
      formatCount(paymentLinks.size, 'payment link'),
      formatCount(payments.size, 'payment'),
      formatCount(deposits.size, 'deposit'),
      formatCount(customers.size, 'customer'),
      formatCount(snapshots.size, 'snapshot'),
    ];
    return {
      title: `Delete account ${account.id}?`,
      consequences: html`<p>Deletes the account and everything in it: ${deletedCounts.join(', ')}. After that, clients with its tokens get 401.</p>`,
      button: 'Delete account',
    };
  },

  revokeToken(account, id) {
    const { name } = getToken(account, integerOrText(id));
    return {
      title: `Revoke token ${name}?`,
      consequences: html`<p>After that, clients that use the token <strong>${name}</strong> get 401 until you give them another token.</p>`,
      button: 'Revoke token',
    };
  },

  rotateWebhookSecret: () => ({
    title: 'Rotate webhook secret?',
    consequences: html`<p>Webhooks are signed with the new secret from then on. Receivers reject webhooks until they know the new secret. The current secret is not shown again.</p>`,
    button: 'Rotate secret',
  }),

  deleteScenario(account, name) {
    // Throws if neither the account nor the simulator has such a scenario.
    getScenario(account, name);
    if (!account.scenarios.has(name)) throw new ServiceError('scenario-built-in');
    const isBuiltIn = account.ports.scenarios.some((scenario) => scenario.name === name);
    return {
      title: `Delete scenario ${name}?`,
      consequences: html`<p>Deletes the scenario from the account${isBuiltIn ? '; the built-in one of the same name applies again' : ''}. Current runs continue.</p>`,
      button: 'Delete scenario',
    };
  },

  removeSnapshot(account, name) {
    const { created_at } = getSnapshot(account, name);
    return {
      title: `Remove snapshot ${name}?`,
      consequences: html`<p>The account can no longer be restored to its state at ${timestamp(created_at)}.</p>`,
      button: 'Remove snapshot',
    };
  },

  clearFault(account, id) {
    const fault = getFault(account, integerOrText(id));
    return {
      title: `Clear fault ${fault.id}?`,
      consequences: html`<p>Removes the fault and its counters (${describeFaultCounts(fault)}).</p>`,
      button: 'Clear fault',
    };
  },

  clearFaults(account) {
    const { length: count } = unclearedFaultsOf(account);
    return {
      title: 'Clear all faults?',
      consequences: html`<p>Removes ${formatCount(count, 'fault')} and ${count === 1 ? 'its' : 'their'} counters.</p>`,
      button: 'Clear all faults',
    };
  },
};

/** Renders the page that asks for confirmation. @throws ServiceError route-not-found, or if the record does not exist */
export function renderConfirmation(context: PageContext, operation: string): string {
  const { account, location, request, query, idOrName } = context;
  const buildConfirmation = Object.entries(confirmations).find(([id]) => id === operation)?.[1];
  if (!buildConfirmation) throw new ServiceError('route-not-found');
  const back = localPath(query.get(returnToName));
  const accountUrl = sectionPath(account.id, '');
  const switchesAccount = operation === 'deleteAccount' && (back === accountUrl || back.startsWith(`${accountUrl}/`));
  // The origin only serves to parse the path.
  const section = sectionOf(new URL(back, 'http://localhost').pathname);
  return confirmationPage(
    { ...location, section },
    {
      ...buildConfirmation(account, idOrName),
      operation,
      idOrName,
      back,
      next: switchesAccount ? sectionPath(defaultAccountId, 'accounts') : back,
      switchesAccount,
      isDialog: request.get('HX-Request') === 'true',
    },
  );
}
