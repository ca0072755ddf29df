import type { ControlServer } from './control-server.js';

/** Reads the state of an account that a snapshot restores, from the control API and from the service. */
export async function readAccountState(sim: ControlServer, account: string, token: string): Promise<object> {
  const readFromControl = async (path: string) => (await sim.callControl('GET', `/accounts/${account}${path}`)).body;
  const readFromService = async (path: string) => (await sim.callService(token, 'GET', path)).body;
  return {
    clock: await readFromControl('/clock'),
    agenda: await readFromControl('/agenda'),
    deliveries: await readFromControl('/deliveries'),
    mails: await readFromControl('/mails'),
    scenarios: await readFromControl('/scenarios'),
    faults: await readFromControl('/faults'),
    customers: await readFromControl('/customers'),
    invoices: await readFromService('/invoices?per_page=100'),
    links: await readFromService('/payment-links?per_page=100'),
    payments: await readFromService('/payments?per_page=100'),
    deposits: await readFromService('/deposits?per_page=100'),
    statistics: await readFromService('/invoices/stats'),
  };
}
