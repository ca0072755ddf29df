import { expect } from 'vitest';
import type { Choices, Simulator } from '../../src/index.js';
import { ask } from '../support/ask.js';
import { openAccount } from './guest.js';

type Pair = [name: string, value: string];
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Result of a form. */
interface Led {
  /** The address, without what is not the page's own. */
  readonly to: string;
  /** The address as the browser has it. */
  readonly address: string;
  /** Visible text of the success or error message. */
  readonly notice: string;
  /** The whole page. */
  readonly html: string;
}

/** The dashboard of an account, as a browser without scripts has it. */
export interface Dashboard {
  /** @returns the HTML of a page of a section, which must be there */
  open(section: string): Promise<string>;
  /** Visible text of a page of a section. */
  read(section: string): Promise<string>;
  /**
   * Opens a page, fills its form in that has an operation done, sends it, and looks where it leads. Only fields that the
   * form has can be filled in.
   * @param target what the operation is done to: there may be several forms for it
   */
  send(section: string, operation: string, fields?: Fields, target?: string): Promise<Led>;
  /** Like `send`, with exactly these fields, even if no form has them. */
  post(section: string, operation: string, fields: Fields, target?: string): Promise<Led>;
}

export function dashboardOf(url: string, account = 'demo'): Dashboard {
  const get = async (path: string): Promise<string> => {
    const { status, text } = await ask(url, { path });
    expect({ path, status }).toEqual({ path, status: 200 });
    return text;
  };
  const submit = async (path: string, pairs: readonly Pair[]): Promise<Led> => {
    const reply = await ask(url, {
      method: 'POST',
      path,
      body: new URLSearchParams([...pairs]).toString(),
      headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', url],
    });
    expect({ text: reply.text, status: reply.status }).toEqual({ text: '', status: 303 });
    const address = String(reply.headers['location']);
    const html = await get(address.replace(/#.*/, ''));
    const [, notice = ''] = /<div class="notice[^>]*>(.*?)<\/div>/s.exec(html) ?? [];
    return { to: address.replace(/[?&]notice=[\w-]+/, ''), address, notice: readable(notice), html };
  };
  const open = (section: string): Promise<string> => get(`/dashboard/${account}/${section}`);

  return {
    open,
    read: async (section) => readable(await open(section)),
    async send(section, operation, fields = {}, target) {
      const listed = await open(section);
      const asks = confirmationOf(listed, `/${account}${endOf(operation, target).replace('/do/', '/confirm/')}`);
      // Actions that lose data need a confirmation.
      const form = formOf(asks === undefined ? listed : await get(asks), `/${account}${endOf(operation, target)}`);
      for (const name of Object.keys(fields)) {
        if (!form.html.includes(`name="${name}"`)) throw new Error(`the form for ${operation} has no field ${name}`);
      }
      return submit(form.action, [...form.hidden, ...pairsOf(fields)]);
    },
    post: (section, operation, fields, target) =>
      submit(`/dashboard/${account}${endOf(operation, target)}`, [
        ['then', `/dashboard/${account}/${section}`],
        ...pairsOf(fields),
      ]),
  };
}

const endOf = (operation: string, target?: string): string =>
  `/do/${operation}${target === undefined ? '' : `/${target}`}`;

function pairsOf(fields: Fields): Pair[] {
  return Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): Pair => [name, value]));
}

/** Target of the first button whose confirmation page has an address with this end; undefined if there is none. */
function confirmationOf(page: string, end: string): string | undefined {
  const found = [
    ...page.matchAll(/<form method="get" action="([^"]*)"[^>]*>\s*<input type="hidden" name="then" value="([^"]*)">/g),
  ].find(([, action = '']) => action.endsWith(end));
  return found && `${found[1]}?${new URLSearchParams([['then', unescaped(found[2] ?? '')]])}`;
}

/** The first form that is sent to an address with this end. */
function formOf(page: string, end: string) {
  const found = [...page.matchAll(/<form method="post" action="(?<action>[^"]*)".*?<\/form>/gs)].find(({ groups }) =>
    groups?.['action']?.replace(/#.*/, '').endsWith(end),
  );
  if (!found) throw new Error(`there is no form for ${end}`);
  const [html] = found;
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']): Pair => [name, unescaped(value)],
  );
  return { html, hidden, action: found.groups?.['action']?.replace(/#.*/, '') ?? '' };
}

/** Visible text of a page, or of part of one. */
export function readable(html: string): string {
  const inline = /<\/?(?:a|code|small|span|strong|time)(?: [^>]*)?>/g;
  return unescaped(
    html
      .slice(Math.max(0, html.indexOf('<main')))
      .replace(inline, '')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();
}

export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}

/** A new account with the data of `demo`, on a clock that is frozen, with its dashboard and a client of the service. */
export async function openDashboard(sim: Simulator, profile: Choices = {}) {
  const { account, client } = await openAccount(sim, profile);
  return { account, client, dashboard: dashboardOf(sim.url, account.id) };
}
