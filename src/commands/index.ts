import type { Command } from 'commander';

interface Listed {
  readonly name: string;
  /** What the list of commands says of it. */
  readonly summary: string;
  /** Loads what it is made of: a start pays for no other command. */
  readonly load: () => Promise<Command>;
}

/** Every command, in the order of the help. */
export const commands: readonly Listed[] = [
  {
    name: 'start',
    summary: 'start the simulator',
    load: async () => (await import('./simulator/start.js')).startCommand(),
  },
  {
    name: 'seed',
    summary: 'add made-up records to a data folder, while the simulator is stopped',
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
    summary: 'receive webhooks, verify them and pass them on',
    load: async () => (await import('./simulator/listen.js')).listenCommand(),
  },
  {
    name: 'proxy',
    summary: 'tell where an implementation departs from the document',
    load: async () => (await import('./contract/proxy.js')).proxyCommand(),
  },
  {
    name: 'contract',
    summary: 'check whether an implementation keeps the specification',
    load: async () => (await import('./contract/contract.js')).contractCommand(),
  },
  {
    name: 'prove',
    summary: 'prove that the contract suite sees what it is to see',
    load: async () => (await import('./contract/prove.js')).proveCommand(),
  },
  {
    name: 'calibrate',
    summary: 'write a profile of what an implementation does where the specification is silent',
    load: async () => (await import('./contract/calibrate.js')).calibrateCommand(),
  },
  {
    name: 'compare',
    summary: 'tell how two implementations differ, and which of them may not',
    load: async () => (await import('./contract/compare.js')).compareCommand(),
  },
  {
    name: 'trigger',
    summary: 'bring an event about',
    load: async () => (await import('./simulator/trigger.js')).triggerCommand(),
  },
  {
    name: 'deliveries',
    summary: 'show and resend webhook messages',
    load: async () => (await import('./simulator/deliveries.js')).deliveriesCommand(),
  },
  {
    name: 'coverage',
    summary: 'tell what the client under test has met, and what not',
    load: async () => (await import('./simulator/coverage.js')).coverageCommand(),
  },
  {
    name: 'mails',
    summary: 'show mails',
    load: async () => (await import('./simulator/mails.js')).mailsCommand(),
  },
  {
    name: 'scenario',
    summary: 'play scripted lifecycles',
    load: async () => (await import('./simulator/scenario.js')).scenarioCommand(),
  },
  {
    name: 'fault',
    summary: 'have requests and webhooks go wrong on purpose',
    load: async () => (await import('./simulator/fault.js')).faultCommand(),
  },
  {
    name: 'deposit',
    summary: 'authorize and decline deposits, let them expire',
    load: async () => (await import('./simulator/deposit.js')).depositCommand(),
  },
  {
    name: 'payment-link',
    summary: 'pay payment links',
    load: async () => (await import('./simulator/payment-link.js')).paymentLinkCommand(),
  },
  {
    name: 'invoice',
    summary: 'send, view, pay and cancel invoices',
    load: async () => (await import('./simulator/invoice.js')).invoiceCommand(),
  },
  {
    name: 'snapshot',
    summary: 'keep the state of an account, and go back to it',
    load: async () => (await import('./simulator/snapshot.js')).snapshotCommand(),
  },
  {
    name: 'reset',
    summary: 'take an account back to its beginning',
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
];
