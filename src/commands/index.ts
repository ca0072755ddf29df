import type { Command } from 'commander';

interface CommandSummary {
  readonly name: string;
  /** Summary in the list of commands. */
  readonly summary: string;
  /** Imports the command on demand, so that a command does not load the others. */
  readonly load: () => Promise<Command>;
}

/** Every command, in the order of the help. */
export const commands: readonly CommandSummary[] = [
  {
    name: 'start',
    summary: 'start the simulator',
    load: async () => (await import('./simulator/start.js')).startCommand(),
  },
  {
    name: 'seed',
    summary: 'add generated records to a data folder while the simulator is stopped',
    load: async () => (await import('./simulator/seed.js')).seedCommand(),
  },
  {
    name: 'data',
    summary: 'check and repair a data folder while the simulator is stopped',
    load: async () => (await import('./simulator/data.js')).dataCommand(),
  },
  {
    name: 'clock',
    summary: 'show, freeze and advance the clock',
    load: async () => (await import('./simulator/clock.js')).clockCommand(),
  },
  {
    name: 'agenda',
    summary: 'show what falls due next',
    load: async () => (await import('./simulator/agenda.js')).agendaCommand(),
  },
  {
    name: 'listen',
    summary: 'receive, verify and forward webhooks',
    load: async () => (await import('./simulator/listen.js')).listenCommand(),
  },
  {
    name: 'requests',
    summary: 'list and follow the requests to the service',
    load: async () => (await import('./simulator/requests.js')).requestsCommand(),
  },
  {
    name: 'proxy',
    summary: 'validate traffic to an implementation against the API document',
    load: async () => (await import('./contract/proxy.js')).proxyCommand(),
  },
  {
    name: 'contract',
    summary: 'test an implementation against the specification',
    load: async () => (await import('./contract/contract.js')).contractCommand(),
  },
  {
    name: 'prove',
    summary: 'mutation-test the contract suite',
    load: async () => (await import('./contract/prove.js')).proveCommand(),
  },
  {
    name: 'calibrate',
    summary: 'write a profile of how an implementation fills the gaps of the specification',
    load: async () => (await import('./contract/calibrate.js')).calibrateCommand(),
  },
  {
    name: 'compare',
    summary: 'compare two implementations',
    load: async () => (await import('./contract/compare.js')).compareCommand(),
  },
  {
    name: 'trigger',
    summary: 'trigger a webhook event',
    load: async () => (await import('./simulator/trigger.js')).triggerCommand(),
  },
  {
    name: 'deliveries',
    summary: 'show and resend webhook messages',
    load: async () => (await import('./simulator/deliveries.js')).deliveriesCommand(),
  },
  {
    name: 'coverage',
    summary: 'show what the client under test has exercised',
    load: async () => (await import('./simulator/coverage.js')).coverageCommand(),
  },
  {
    name: 'trace',
    summary: 'save what happened as one HTML page',
    load: async () => (await import('./simulator/trace.js')).traceCommand(),
  },
  {
    name: 'mails',
    summary: 'show the emails of the service',
    load: async () => (await import('./simulator/mails.js')).mailsCommand(),
  },
  {
    name: 'scenario',
    summary: 'run scripted lifecycles',
    load: async () => (await import('./simulator/scenario.js')).scenarioCommand(),
  },
  {
    name: 'fault',
    summary: 'inject faults into requests and webhooks',
    load: async () => (await import('./simulator/fault.js')).faultCommand(),
  },
  {
    name: 'deposit',
    summary: 'authorize, decline and expire deposits',
    load: async () => (await import('./simulator/deposit.js')).depositCommand(),
  },
  {
    name: 'payment-link',
    summary: 'pay payment links',
    load: async () => (await import('./simulator/payment-link.js')).paymentLinkCommand(),
  },
  {
    name: 'invoice',
    summary: 'finalize, send, view, pay and cancel invoices',
    load: async () => (await import('./simulator/invoice.js')).invoiceCommand(),
  },
  {
    name: 'snapshot',
    summary: 'save and restore the state of an account',
    load: async () => (await import('./simulator/snapshot.js')).snapshotCommand(),
  },
  {
    name: 'reset',
    summary: 'reset an account to its seed',
    load: async () => (await import('./simulator/reset.js')).resetCommand(),
  },
  {
    name: 'account',
    summary: 'list, create and remove accounts',
    load: async () => (await import('./simulator/account.js')).accountCommand(),
  },
  {
    name: 'settings',
    summary: 'show and change the settings of an account',
    load: async () => (await import('./simulator/settings.js')).settingsCommand(),
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion.js')).completionCommand(),
  },
];
