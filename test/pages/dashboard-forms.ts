import { expect } from 'vitest';
import type { Choices, Simulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createDemoAccount } from './guest.js';
import { contentOf, unescapeHtml, visibleText } from './html-text.js';

type Field = [name: string, value: string];

/**
 * Values by the name of the field: `{ 'amount:number': '300' }`. A suffix, such as `:number` or `[]` for a list, is the
 * type to which the dashboard converts the value. A field with several values is sent once for each of them.
 */
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The page that a submitted form redirects to. */
interface FormResult {
  /** The path of the page, without the `notice` query parameter. */
  readonly path: string;
  /** The path with the `notice` query parameter, which is the id of a success or error message. */
  readonly pathWithNotice: string;
  /** Visible text of the success or error message; empty if there is none. */
  readonly notice: string;
  /** True if the message is an error: the action was refused. */
  readonly isRefused: boolean;
  readonly html: string;
}

/**
 * The dashboard of an account without JavaScript. Forms are sent with their hidden fields and the given ones only. A `page`
 * is the part of a path after `/dashboard/{account}/`, such as `deposits/8`; the empty string is the activity page.
 */
export interface Dashboard {
  /** Requests a page, which must exist. @returns its HTML */
  readHtml(page: string): Promise<string>;
  /** Requests a page, which must exist. @returns its visible text */
  readText(page: string): Promise<string>;
  /**
   * Requests a page, fills in and submits its form for an action, and follows the redirect. If the form is on a
   * confirmation page, requests that page too.
   * @param action name of the action in the form's path, such as `resetAccount`; if it changes a single record, the id
   *   or name of the record follows: `authorizeDeposit/8`
   * @param fields the fields to fill in; it is an error if the form does not have them
   */
  submitForm(page: string, action: string, fields?: Fields): Promise<FormResult>;
  /**
   * Posts these fields and the page to return to, without requesting the page first, and follows the redirect.
   * @param action see `submitForm`
   */
  postFields(page: string, action: string, fields: Fields): Promise<FormResult>;
}

/** Returns the dashboard of an account. @param url URL of the simulator */
export function dashboardOf(url: string, accountId = 'demo'): Dashboard {
  const get = async (path: string): Promise<string> => {
    const { status, text } = await sendHttpRequest(url, { path });
    expect({ path, status }).toEqual({ path, status: 200 });
    return text;
  };
  const submit = async (path: string, fields: readonly Field[]): Promise<FormResult> => {
    const response = await sendHttpRequest(url, {
      method: 'POST',
      path,
      body: new URLSearchParams([...fields]).toString(),
      headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', url],
    });
    expect({ text: response.text, status: response.status }).toEqual({ text: '', status: 303 });
    const pathWithNotice = String(response.headers['location']);
    const html = await get(withoutFragment(pathWithNotice));
    const [, kind, notice = ''] = /<div class="notice (\w+)"[^>]*>(.*?)<\/div>/s.exec(html) ?? [];
    return {
      path: pathWithNotice.replace(/[?&]notice=[\w-]+/, ''),
      pathWithNotice,
      notice: visibleText(notice),
      isRefused: kind === 'refused',
      html,
    };
  };
  const readHtml = (page: string): Promise<string> => get(`/dashboard/${accountId}/${page}`);
  /** Returns the end of the path that performs an action (`do`) or shows its confirmation page (`confirm`). */
  const actionPathEnd = (verb: 'do' | 'confirm', action: string): string => `/${accountId}/${verb}/${action}`;

  return {
    readHtml,
    readText: async (page) => visibleText(await readHtml(page)),
    async submitForm(page, action, fields = {}) {
      const html = await readHtml(page);
      // Actions that cannot be undone have their form on a confirmation page.
      const confirmationPath = findConfirmationPath(html, actionPathEnd('confirm', action));
      const form = findForm(
        confirmationPath === undefined ? html : await get(confirmationPath),
        actionPathEnd('do', action),
        Object.keys(fields),
      );
      for (const name of Object.keys(fields)) {
        if (!form.html.includes(`name="${name}"`)) throw new Error(`the form for ${action} has no field ${name}`);
      }
      return submit(form.action, [...form.hiddenFields, ...flattenFields(fields)]);
    },
    postFields: (page, action, fields) =>
      submit(`/dashboard${actionPathEnd('do', action)}`, [
        // The path to redirect to.
        ['return_to', `/dashboard/${accountId}/${page}`],
        ...flattenFields(fields),
      ]),
  };
}

const withoutFragment = (path: string): string => path.replace(/#.*/, '');

function flattenFields(fields: Fields): Field[] {
  return Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): Field => [name, value]));
}

/** Finds the first button for a confirmation page whose path ends with `pathEnd`. @returns the path with its query */
function findConfirmationPath(html: string, pathEnd: string): string | undefined {
  const buttons = html.matchAll(
    /<form method="get" action="(?<path>[^"]*)"[^>]*>\s*<input type="hidden" name="return_to" value="(?<return_to>[^"]*)">/g,
  );
  const button = [...buttons].find(({ groups }) => groups?.['path']?.endsWith(pathEnd));
  if (!button) return undefined;
  const query = new URLSearchParams([['return_to', unescapeHtml(button.groups?.['return_to'] ?? '')]]);
  return `${button.groups?.['path']}?${query}`;
}

/**
 * Finds a form whose action ends with `actionEnd`: the first one that has all fields to fill in, or else the first one.
 * @throws if there is none
 */
function findForm(html: string, actionEnd: string, fieldNames: readonly string[]) {
  const forms = [...contentOf(html).matchAll(/<form method="post" action="(?<action>[^"]*)".*?<\/form>/gs)]
    .map(([form, action = '']) => ({ html: form, action: withoutFragment(action) }))
    .filter(({ action }) => action.endsWith(actionEnd));
  const hasAllFields = (form: { html: string }): boolean =>
    fieldNames.every(
      (name) => form.html.includes(`name="${name}"`) && !form.html.includes(`type="hidden" name="${name}"`),
    );
  const form = forms.find(hasAllFields) ?? forms[0];
  if (!form) throw new Error(`there is no form for ${actionEnd}`);
  const hiddenInputs = form.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  const hiddenFields = [...hiddenInputs].map(([, name = '', value = '']): Field => [name, unescapeHtml(value)]);
  return { ...form, hiddenFields };
}

/** Creates an account with demo records and a frozen clock. @returns the account, its dashboard and an API client */
export async function createAccountWithDashboard(sim: Simulator, profile: Choices = {}) {
  const { account, client } = await createDemoAccount(sim, profile);
  return { account, client, dashboard: dashboardOf(sim.url, account.id) };
}
