import { Command, InvalidArgumentError } from 'commander';
import { formatCount } from '../../text/format.js';
import { formatTrace } from '../../text/trace-html.js';
import { addAccountOptions } from '../support/control.js';
import { example } from '../support/help-text.js';
import { writeOutputFile } from '../support/output-file.js';
import { controlAction } from '../support/subcommand.js';

const defaultOutput = 'trace.html';

export function createCommand(): Command {
  return addAccountOptions(new Command('trace'))
    .description('save what happened in an account as one page, without tokens or secrets')
    .option(
      '--output <file>',
      `file to write, which ends with .html or .json (default: ${defaultOutput}, or standard output with --json)`,
      readTraceFile,
    )
    .addHelpText('after', example('trace --output trace.html', 'trace --output trace.json'))
    .action(
      controlAction(async ({ call }, { output, json }: { readonly output?: string; readonly json?: true }) => {
        const trace = await call('get', '/accounts/{account}/trace');
        if (json && output === undefined) return { value: trace, text: '' };
        const file = output ?? defaultOutput;
        await writeOutputFile(file, formatTrace(file, trace));
        const { account, chains, requests } = trace;
        // Each chain has one cause; users see chains as causes with their consequences.
        return {
          value: { file, account, chains: chains.length, requests: requests.length },
          text: `Trace of ${account} saved to ${file}: ${formatCount(chains.length, 'cause')}, ${formatCount(requests.length, 'request')}`,
        };
      }),
    );
}

function readTraceFile(text: string): string {
  if (!/\.(?:html|json)$/i.test(text)) throw new InvalidArgumentError('expected a file that ends with .html or .json');
  return text;
}
