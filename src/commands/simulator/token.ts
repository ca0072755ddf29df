import { Command } from 'commander';
import { scopes as allScopes, type Scope } from '../../domain/records.js';
import { formatTime } from '../../text/format.js';
import { readChoice, readInteger, repeatable } from '../support/arguments.js';
import { addAccountOptions, type Control, singlePageQuery } from '../support/control.js';
import { example } from '../support/help-text.js';
import { type CommandOutput, columns, listOutput } from '../support/output.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';

interface CreateFlags {
  readonly scope?: readonly Scope[];
}

export function createCommand(): Command {
  const token = new Command('token')
    .description('list, create and revoke the tokens of an account')
    .addHelpText('after', example('token create reporting --scope billing.read'));
  return addSubcommands(addAccountOptions(token), [
    new Command('list')
      .description('list the tokens that have not been revoked, without their values')
      .addHelpText('after', example('token list'))
      .action(controlAction(list)),
    new Command('create')
      .description('create a token and show its value, which is shown only once')
      .argument('<name>', 'name of the token in the request log')
      .addOption(
        repeatable('--scope <scope>', `${allScopes.join(' or ')} (default: all scopes)`, (text) =>
          readChoice(text, allScopes),
        ),
      )
      .addHelpText('after', example('token create reporting --scope billing.read'))
      .action(controlAction(create)),
    new Command('revoke')
      .description('revoke a token, so that requests with it are refused')
      .argument('<id>', 'id of the token, as in `token list`', readInteger)
      .addHelpText('after', example('token revoke 3'))
      .action(
        controlAction(async ({ call }, _flags, token) => {
          const value = await call('delete', '/accounts/{account}/tokens/{token}', { path: { token } });
          return { value, text: `Token ${value.id} revoked.` };
        }),
      ),
  ]);
}

async function list({ call }: Control): Promise<CommandOutput> {
  const value = await call('get', '/accounts/{account}/tokens', { query: singlePageQuery });
  return listOutput(value, 'No tokens.', ({ id, name, scopes, created_at }) => [
    `token ${id}`,
    name,
    scopes.join(', '),
    formatTime(created_at),
  ]);
}

async function create({ call }: Control, { scope = allScopes }: CreateFlags, name = ''): Promise<CommandOutput> {
  const value = await call('post', '/accounts/{account}/tokens', { body: { name, scopes: [...scope] } });
  const rows = [
    ['id', String(value.id)],
    ['name', value.name],
    ['scopes', value.scopes.join(', ')],
    ['token', value.token],
  ];
  return { value, text: columns(rows) };
}
