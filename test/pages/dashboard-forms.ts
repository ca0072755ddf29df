import { expect } from 'vitest';
import type { Choices, Simulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createDemoAccount } from './guest.js';

type Pair = [name: string, value: string];
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Result of a form. */
interface FormResult {
  /** The address without the id of the notice. */
  readonly to: string;
  /** The full address. */
  readonly address: string;
  /** Visible text of the success or error message. */
  readonly notice: string;
  /** The whole page. */
  readonly html: string;
}

/** The dashboard of an account, as in a browser without scripts. */
export interface Dashboard {
  /** @returns the HTML of a page of a section, which must exist */
  open(section: string): Promise<string>;
  /** Visible text of a page of a section. */
  read(section: string): Promise<string>;
  /**
   * Opens a page, fills in and submits the form for an operation, and follows the redirect. Only fields that the
   * form has can be filled in.
   * @param target record of the operation: there may be several forms for it
   */
  send(section: string, operation: string, fields?: Fields, target?: string): Promise<FormResult>;
  /** Like `send`, with exactly these fields, even if no form has them. */
  post(section: string, operation: string, fields: Fields, target?: string): Promise<FormResult>;
}

export function dashboardOf(url: string, account = 'demo'): Dashboard {
  const get = async (path: string): Promise<string> => {
    const { status, text } = await sendHttpRequest(url, { path });
    expect({ path, status }).toEqual({ path, status: 200 });
    return text;
  };
  const submit = async (path: string, pairs: readonly Pair[]): Promise<FormResult> => {
    const reply = await sendHttpRequest(url, {
      method: 'POST',
      path,
      body: new URLSearchParams([...pairs]).toString(),
      headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', url],
    });
    expect({ text: reply.text, status: reply.status }).toEqual({ text: '', status: 303 });
    const address = String(reply.headers['location']);
    const html = await get(address.replace(/#.*/, ''));
    const [, notice = ''] = /<div class="notice[^>]*>(.*?)<\/div>/s.exec(html) ?? [];
    return { to: address.replace(/[?&]notice=[\w-]+/, ''), address, notice: visibleText(notice), html };
  };
  const open = (section: string): Promise<string> => get(`/dashboard/${account}/${section}`);

  return {
    open,
    read: async (section) => visibleText(await open(section)),
    async send(section, operation, fields = {}, target) {
      const listed = await open(section);
      const confirmationPath = confirmationOf(
        listed,
        `/${account}${pathEndOf(operation, target).replace('/do/', '/confirm/')}`,
      );
      // Actions that lose data need a confirmation.
      const form = formOf(
        confirmationPath === undefined ? listed : await get(confirmationPath),
        `/${account}${pathEndOf(operation, target)}`,
        Object.keys(fields),
      );
      for (const name of Object.keys(fields)) {
        if (!form.html.includes(`name="${name}"`)) throw new Error(`the form for ${operation} has no field ${name}`);
      }
      return submit(form.action, [...form.hidden, ...pairsOf(fields)]);
    },
    post: (section, operation, fields, target) =>
      submit(`/dashboard/${account}${pathEndOf(operation, target)}`, [
        ['then', `/dashboard/${account}/${section}`],
        ...pairsOf(fields),
      ]),
  };
}

const pathEndOf = (operation: string, target?: string): string =>
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

/** The first form that is sent to an address with this end, and that has the fields to fill in if there is one. */
function formOf(page: string, end: string, names: readonly string[]) {
  const forms = [...contentOf(page).matchAll(/<form method="post" action="(?<action>[^"]*)".*?<\/form>/gs)].filter(
    ({ groups }) => groups?.['action']?.replace(/#.*/, '').endsWith(end),
  );
  const hasAll = ([html]: readonly string[]): boolean =>
    names.every((name) => html?.includes(`name="${name}"`) && !html.includes(`type="hidden" name="${name}"`));
  const found = forms.find(hasAll) ?? forms[0];
  if (!found) throw new Error(`there is no form for ${end}`);
  const [html] = found;
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']): Pair => [name, unescaped(value)],
  );
  return { html, hidden, action: found.groups?.['action']?.replace(/#.*/, '') ?? '' };
}

/** The content of a page, without its header and navigation. */
function contentOf(page: string): string {
  return page.slice(Math.max(0, page.indexOf('<main')));
}

/** Visible text of a page, or of part of one. */
export function visibleText(html: string): string {
  const inline = /<\/?(?:a|code|small|span|strong|time)(?: [^>]*)?>/g;
  return unescaped(
    contentOf(html)
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
  const { account, client } = await createDemoAccount(sim, profile);
  return { account, client, dashboard: dashboardOf(sim.url, account.id) };
}
