import type { Choices, Simulator, SimulatorAccount } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { type ReceivedResponse, sendHttpRequest } from '../support/send-http-request.js';

type Fields = Readonly<Record<string, string>>;

/** The pages of an account, as a browser without scripts sees them. */
export interface GuestPages {
  /** Opens a page: `/pay/inv_3` is that of invoice 3 of the account. */
  open(path: string, headers?: readonly string[]): Promise<ReceivedResponse>;
  /** Sends a form of a page. */
  send(path: string, fields: Fields, headers?: readonly string[]): Promise<Sent>;
  /** Opens a page, and sends its form with what is filled in. */
  fillIn(path: string, fields: Fields): Promise<Sent>;
  /** Looks where a form has led. @returns the text of the page */
  follow(sent: Sent): Promise<string>;
}

interface Sent extends ReceivedResponse {
  /** Redirect target; empty if the response is a page. */
  readonly to: string;
}

export const cards = {
  paid: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  authentication: '4000 0025 0000 3155',
  paidLater: '4000 0000 0000 0077',
  failsLater: '4000 0000 0000 0341',
  unknown: '5555 5555 5555 4444',
} as const;

let accounts = 0;

/** A new account with the data of `demo`, on a clock that is frozen, with its pages and a client of the service. */
export async function openAccount(sim: Simulator, profile: Choices = {}) {
  accounts += 1;
  const id = `guests-${accounts}`;
  const account = await sim.createAccount({ id, seed: 'demo', profile, now: '2026-03-01T09:00:00Z', rateLimit: false });
  return { account, pages: guestPages(sim.url, id), client: clientOf(sim.baseUrl, account.tokens.full) };
}

/** @param account left out, the default one, which the addresses of pages do not name */
export function guestPages(url: string, account?: string): GuestPages {
  const addressOf = (path: string): string =>
    account === undefined ? path : path.replace(/^\/(pay|authorize)\//, `/$1/${account}/`);

  const open = (path: string, headers: readonly string[] = []): Promise<ReceivedResponse> =>
    sendHttpRequest(url, { path: addressOf(path), headers });

  const send = async (path: string, fields: Fields, headers: readonly string[] = []): Promise<Sent> => {
    const reply = await sendHttpRequest(url, {
      method: 'POST',
      path: addressOf(path),
      body: new URLSearchParams(fields).toString(),
      headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', url, ...headers],
    });
    return { ...reply, to: String(reply.headers['location'] ?? '') };
  };

  return {
    open,
    send,
    fillIn: async (path, fields) => send(path, { ...hiddenFields((await open(path)).text), ...fields }),
    follow: async ({ to }) => textOf((await sendHttpRequest(url, { path: to })).text),
  };
}

/** Hidden fields of the first form of a page. */
export function hiddenFields(page: string): Fields {
  const [form = ''] = /<form.*?<\/form>/s.exec(page) ?? [];
  const fields = form.matchAll(/<input type="hidden" name="(?<name>[^"]*)" value="(?<value>[^"]*)">/g);
  return Object.fromEntries([...fields].map(({ groups }) => [groups?.['name'] ?? '', groups?.['value'] ?? '']));
}

/** Visible text of a page. */
export function textOf(page: string): string {
  const body = page.slice(page.indexOf('<main>'));
  return body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Events sent since the account was created, oldest first. */
export async function eventsOf(account: Pick<SimulatorAccount, 'webhooks'>): Promise<string[]> {
  return (await account.webhooks.all()).map(({ event }) => event);
}
