import type { LogDetails } from '../../../domain/activity.js';
import type { Account } from '../../../simulation/account.js';
import type { Notice } from '../components/dashboard-page.js';

/** The input of a form's action, before validation. */
export interface ActionRequest {
  readonly account: Account;
  /** The fields of the form as a JSON body. */
  readonly body: object;
  /** The id or name of the record to act on, from the path; empty if the path contains none. */
  readonly idOrName: string;
  /** The page to show afterwards, without the host: the value of the form's `return_to` field. */
  readonly returnTo: string;
  readonly logDetails: LogDetails;
}

/** The result of an action, to be shown on the next page. */
export interface ActionOutcome {
  readonly notice: Notice;
  /** The page to show, without the host; default: `returnTo`. */
  readonly redirectTo?: string;
}
