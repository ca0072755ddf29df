import type { Account } from '../../../simulation/account.js';
import type { Notice } from '../components/dashboard.js';

/** The operation of a form, before validation. */
export interface ActionRequest {
  readonly account: Account;
  readonly body: object;
  /** The name or id in the path; empty if the operation has none. */
  readonly name: string;
  /** The page to show afterwards, without the host. */
  readonly next: string;
}

/** The result of an action, to be shown on the next page. */
export interface ActionOutcome {
  readonly notice: Notice;
  /** The page to show, if it is not the one that the form names. */
  readonly leadsTo?: string;
}
