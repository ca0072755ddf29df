import { html } from '@remix-run/html-template';
import { invalidField } from '../../../domain/service-error.js';
import { memberOf } from '../../../lib/json.js';
import type { ContractRuns } from '../../contract-runs.js';
import type { ActionOutcome, ActionRequest } from './action.js';

/**
 * The actions of the contract page. The control API does not have them, because programs use the `contract` command or
 * the library instead.
 */
export function contractActions(runs: ContractRuns) {
  return {
    /** Starts a run against another implementation. @throws ServiceError invalid */
    checkAnotherImplementation: async ({ account, body }: ActionRequest): Promise<ActionOutcome> => {
      await runs.start(account, {
        baseUrl: requireText(body, 'base_url', 'Enter the base URL of the service.'),
        token: requireText(body, tokenFieldName, 'Enter a token for the service.'),
        only: clauseIds(body),
        mayChangeRemoteRecords: memberOf(body, 'write') !== undefined,
      });
      return runStarted;
    },

    /** Starts a run against this simulator. @throws ServiceError invalid */
    checkThisSimulator: async ({ account, body }: ActionRequest): Promise<ActionOutcome> => {
      await runs.startOnSimulator(account, clauseIds(body));
      return runStarted;
    },

    stopContractRun: ({ account }: ActionRequest): ActionOutcome => {
      runs.stop(account);
      return { notice: { kind: 'done', content: html`<p>Run stopped.</p>` } };
    },
  };
}

/** The name of the field with the token for the service. The field stays empty when the form is shown again. */
export const tokenFieldName = 'target_token';

/** The script of the dashboard removes this message when the run has ended. */
const runStarted: ActionOutcome = { notice: { kind: 'done', content: html`<p id="run-started">Run started.</p>` } };

/** Returns the text of a field. @throws ServiceError invalid if it is empty */
function requireText(body: object, field: string, message: string): string {
  const text = textOf(body, field);
  if (text === '') throw invalidField(field, 'custom', { message });
  return text;
}

function textOf(body: object, field: string): string {
  const value = memberOf(body, field);
  return typeof value === 'string' ? value.trim() : '';
}

/** The ids of clauses, or prefixes of ids, which the user has separated by spaces or commas. */
function clauseIds(body: object): string[] {
  return textOf(body, 'only')
    .split(/[\s,]+/)
    .filter((id) => id !== '');
}
