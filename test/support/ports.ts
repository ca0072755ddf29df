import { applyEffectsToMessage } from '../../src/faults/messages/index.js';
import { Views } from '../../src/http/service/views.js';
import type { Ports } from '../../src/simulation/state/account-state.js';

/**
 * The simulation's ports, as in "ports and adapters", for tests without adapters: the machine's clock is frozen, and
 * nothing can be sent.
 */
export function isolatedPorts(overrides: Partial<Ports> = {}): Ports {
  const views = new Views({ url: 'http://sim.example' });
  return {
    clock: { now: () => Date.parse('2026-04-01T08:00:00Z'), setTimer: () => () => undefined },
    webhookUrlProblem: () => undefined,
    sendWebhook: async () => {
      throw new Error('isolatedPorts has no network: give it a sendWebhook');
    },
    applyMessageFaults: async (message) => applyEffectsToMessage(message),
    sendMail: undefined,
    presentation: {
      deposit: views.deposit,
      payment: views.payment,
      reminder: (_account, invoice) => ({ to: '', subject: `Invoice ${invoice.invoice_number}`, text: '', html: '' }),
    },
    scenarios: [],
    onFailure: (error) => {
      throw error;
    },
    ...overrides,
  };
}
