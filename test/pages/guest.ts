import type { Choices, Simulator, SimulatorAccount } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { type ReceivedResponse, sendHttpRequest } from '../support/send-http-request.js';
import { visibleText } from './html-text.js';

type Fields = Readonly<Record<string, string>>;

/** Sends requests to the guest pages of an account, like a browser without JavaScript. */
export interface GuestPages {
  /**
   * Requests a page. Its path is given without the account: `/pay/inv_3` is the page of invoice 3.
   * @param headers names and values, alternating
   */
  open(path: string, headers?: readonly string[]): Promise<ReceivedResponse>;
  /** Posts exactly these fields to a page. */
  postFields(path: string, fields: Fields, headers?: readonly string[]): Promise<FormResponse>;
  /** Requests a page, and submits its first form to the form's action, with its hidden fields and these fields. */
  submitForm(path: string, fields: Fields): Promise<FormResponse>;
  /** Follows the redirect of a response. @returns the visible text of the page */
  readRedirectTarget(response: FormResponse): Promise<string>;
}

interface FormResponse extends ReceivedResponse {
  /** The `Location` header; empty if the response does not redirect. */
  readonly location: string;
}

/** Card numbers, by what happens when a guest pays with them. */
export const cards = {
  paid: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  /** The bank asks the guest to approve the payment on a separate page, the challenge. */
  authentication: '4000 0025 0000 3155',
  paidLater: '4000 0000 0000 0077',
  failsLater: '4000 0000 0000 0341',
  /** A valid number that is not one of the simulator's test cards, so it is declined. */
  unknown: '5555 5555 5555 4444',
} as const;

let accountCount = 0;

/** Creates an account with demo records and a frozen clock. @returns the account, its guest pages and an API client */
export async function createDemoAccount(sim: Simulator, profile: Choices = {}) {
  accountCount += 1;
  const id = `guests-${accountCount}`;
  const account = await sim.createAccount({ id, seed: 'demo', profile, now: '2026-03-01T09:00:00Z', rateLimit: false });
  return { account, pages: guestPages(sim.url, id), client: clientOf(sim.baseUrl, account.tokens.full) };
}

/**
 * Returns the guest pages of an account.
 * @param url URL of the simulator
 * @param accountId default: the default account, whose guest pages have paths without an id
 */
export function guestPages(url: string, accountId?: string): GuestPages {
  const pathInAccount = (path: string): string =>
    accountId === undefined ? path : path.replace(/^\/(pay|authorize)\//, `/$1/${accountId}/`);

  const open = (path: string, headers: readonly string[] = []): Promise<ReceivedResponse> =>
    sendHttpRequest(url, { path: pathInAccount(path), headers });

  const postTo = async (path: string, fields: Fields, headers: readonly string[] = []): Promise<FormResponse> => {
    const response = await sendHttpRequest(url, {
      method: 'POST',
      path,
      body: new URLSearchParams(fields).toString(),
      headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', url, ...headers],
    });
    return { ...response, location: String(response.headers['location'] ?? '') };
  };

  return {
    open,
    postFields: (path, fields, headers) => postTo(pathInAccount(path), fields, headers),
    async submitForm(path, fields) {
      const { action, hidden } = firstFormOf((await open(path)).text);
      return postTo(action, { ...hidden, ...fields });
    },
    readRedirectTarget: async ({ location }) => visibleText((await sendHttpRequest(url, { path: location })).text),
  };
}

/** The name that guest pages show for an account of `createDemoAccount`: `Guests 1` for the id `guests-1`. */
export const merchantNameOf = ({ id }: Pick<SimulatorAccount, 'id'>): string => id.replace('guests-', 'Guests ');

/** The action and the hidden fields of the first form in the HTML of a page. */
function firstFormOf(page: string): { readonly action: string; readonly hidden: Fields } {
  const [form, action] = /<form [^>]*action="([^"]*)".*?<\/form>/s.exec(page) ?? [];
  if (form === undefined || action === undefined) throw new Error(`the page has no form: ${visibleText(page)}`);
  const fields = form.matchAll(/<input type="hidden" name="(?<name>[^"]*)" value="(?<value>[^"]*)">/g);
  const hidden = Object.fromEntries([...fields].map(({ groups }) => [groups?.['name'] ?? '', groups?.['value'] ?? '']));
  return { action, hidden };
}

/** Hidden fields of the first form in the HTML of a page. */
export function hiddenFields(page: string): Fields {
  return firstFormOf(page).hidden;
}

/** Names of the webhook events of an account, oldest first. */
export async function eventNamesOf(account: Pick<SimulatorAccount, 'webhooks'>): Promise<string[]> {
  return (await account.webhooks.all()).map(({ event }) => event);
}
