import { Command } from 'commander';
import { errorMessage } from '../../lib/error-message.js';
import { saveTrace } from '../../library/save-trace.js';
import { readOutputFile } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { addAccountOptions } from '../support/control.js';
import { example } from '../support/help-text.js';
import { formatCount } from '../support/output.js';
import { controlAction } from '../support/subcommand.js';

const defaultOutput = 'trace.html';

export function createCommand(): Command {
  return addAccountOptions(new Command('trace'))
    .description('save what happened in an account as one page, without tokens or secrets')
    .option(
      '--output <file>',
      `file to write, as JSON if it ends with .json (default: ${defaultOutput}, or standard output with --json)`,
      readOutputFile,
    )
    .addHelpText('after', example('trace --output trace.html', 'trace --output trace.json'))
    .action(
      controlAction(async ({ call }, { output, json }: { readonly output?: string; readonly json?: true }) => {
        const trace = await call('get', '/accounts/{account}/trace');
        if (json && output === undefined) return { value: trace, text: '' };
        const file = output ?? defaultOutput;
        try {
          await saveTrace(file, trace);
        } catch (error) {
          throw new CommandError(`cannot write ${file}: ${errorMessage(error)}`);
        }
        const { account, chains, requests } = trace;
        // Each chain has one cause; users see chains as causes with their consequences.
        return {
          value: { file, account, chains: chains.length, requests: requests.length },
          text: `Trace of ${account} saved to ${file}: ${formatCount(chains.length, 'cause')}, ${formatCount(requests.length, 'request')}`,
        };
      }),
    );
}
