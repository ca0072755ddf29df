import { Command } from 'commander';
import { readLimit } from '../support/arguments.js';
import { addAccountOptions, type Control } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, listOutput } from '../support/output.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';

interface CreateFlags {
  readonly company?: string;
  readonly phone?: string;
  readonly address?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly country?: string;
  readonly currency?: string;
}

export function createCommand(): Command {
  const customer = new Command('customer')
    .description('list and create customers, for which the service has no operation')
    .addHelpText('after', example("customer create 'Ada Lovelace' ada@analytical-engines.example"));
  return addSubcommands(addAccountOptions(customer), [
    new Command('list')
      .description('list the customers, newest first')
      .option('--limit <number>', 'maximum number to show', readLimit, 100)
      .addHelpText('after', example('customer list --limit 10'))
      .action(controlAction(list)),
    new Command('create')
      .description('create a customer')
      .argument('<name>', 'name of the customer')
      .argument('<email>', 'email address, to which reminders are sent')
      .option('--company <text>', 'company')
      .option('--phone <text>', 'phone number')
      .option('--address <text>', 'street and house number')
      .option('--city <text>', 'city')
      .option('--postal-code <text>', 'postal code')
      .option('--country <text>', 'country')
      .option('--currency <code>', 'currency of invoices if the profile takes it from the customer, for example EUR')
      .addHelpText('after', example("customer create 'Ada Lovelace' ada@analytical-engines.example --city London"))
      .action(controlAction(create)),
  ]);
}

async function list({ call }: Control, { limit }: { readonly limit: number }): Promise<CommandOutput> {
  const value = await call('get', '/accounts/{account}/customers', { query: { per_page: limit } });
  return listOutput(value, 'No customers.', ({ id, name, email, company }) => [
    `customer ${id}`,
    name,
    email,
    company ?? '',
  ]);
}

async function create({ call }: Control, flags: CreateFlags, name = '', email = ''): Promise<CommandOutput> {
  const { company, phone, address, city, postalCode, country, currency } = flags;
  const value = await call('post', '/accounts/{account}/customers', {
    body: { name, email, company, phone, address, city, postal_code: postalCode, country, currency },
  });
  return { value, text: `Customer ${value.id} created.` };
}
