import type { Command } from 'commander';

type CommandModule = { createCommand(): Command };

/** Every command, in the order of the help. Its summary is for the list of commands. */
const modules: readonly (readonly [name: string, summary: string, importModule: () => Promise<CommandModule>])[] = [
  ['start', 'start the simulator', () => import('./simulator/start.js')],
  [
    'seed',
    'add generated records to a data folder while the simulator is stopped',
    () => import('./simulator/seed.js'),
  ],
  ['data', 'check and repair a data folder while the simulator is stopped', () => import('./simulator/data.js')],
  ['clock', 'show, freeze and advance the clock', () => import('./simulator/clock.js')],
  ['agenda', 'show what falls due next', () => import('./simulator/agenda.js')],
  ['activity', 'show what happened, and what it led to', () => import('./simulator/activity.js')],
  ['listen', 'receive, verify and forward webhooks', () => import('./simulator/listen.js')],
  ['requests', 'list, show and follow the requests to the service', () => import('./simulator/requests.js')],
  ['proxy', 'validate traffic to an implementation against the API document', () => import('./contract/proxy.js')],
  ['contract', 'test an implementation against the specification', () => import('./contract/contract.js')],
  ['prove', 'mutation-test the contract suite', () => import('./contract/prove.js')],
  [
    'calibrate',
    'write a profile of how an implementation fills the gaps in the specification',
    () => import('./contract/calibrate.js'),
  ],
  ['compare', 'compare two implementations', () => import('./contract/compare.js')],
  ['trigger', 'trigger a webhook event', () => import('./simulator/trigger.js')],
  ['deliveries', 'show and resend webhook messages', () => import('./simulator/deliveries.js')],
  ['coverage', 'show what the client under test has exercised', () => import('./simulator/coverage.js')],
  ['trace', 'save what happened as one HTML page', () => import('./simulator/trace.js')],
  ['mails', 'show the emails of the service', () => import('./simulator/mails.js')],
  ['scenario', 'run scripted lifecycles', () => import('./simulator/scenario.js')],
  ['fault', 'inject faults into requests and webhooks', () => import('./simulator/fault.js')],
  ['deposit', 'authorize, decline and expire deposits', () => import('./simulator/deposit.js')],
  ['payment-link', 'pay payment links', () => import('./simulator/payment-link.js')],
  ['payment', 'complete open and pending payments', () => import('./simulator/payment.js')],
  ['invoice', 'finalize, send, view, pay and cancel invoices', () => import('./simulator/invoice.js')],
  ['customer', 'list and create customers', () => import('./simulator/customer.js')],
  ['snapshot', 'save and restore the state of an account', () => import('./simulator/snapshot.js')],
  ['reset', 'reset an account to its seed', () => import('./simulator/reset.js')],
  ['account', 'list, create and remove accounts', () => import('./simulator/account.js')],
  ['token', 'list, create and revoke tokens', () => import('./simulator/token.js')],
  ['settings', 'show and change the settings of an account', () => import('./simulator/settings.js')],
  ['completion', 'print a completion script for bash, zsh or fish', () => import('./completion.js')],
];

/** Every command. Its module is imported on demand, so that a command does not load the others. */
export const commands = modules.map(([name, summary, importModule]) => ({
  name,
  summary,
  load: async (): Promise<Command> => (await importModule()).createCommand(),
}));
