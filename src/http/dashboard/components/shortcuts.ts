import { html, type SafeHtml } from '@remix-run/html-template';
import { type Section, sectionGroups } from './sections.js';

/** The key that opens a section when it is pressed after `g`. */
export const sectionKeys: Readonly<Record<Section, string>> = {
  // The activity of the account, which is its home page.
  '': 'h',
  overview: 'o',
  invoices: 'i',
  'payment-links': 'l',
  payments: 'p',
  deposits: 'd',
  customers: 'c',
  requests: 'r',
  webhooks: 'w',
  mails: 'e',
  clock: 'k',
  faults: 'f',
  scenarios: 's',
  snapshots: 'n',
  coverage: 'v',
  contract: 'x',
  tokens: 't',
  profile: 'g',
  accounts: 'a',
};

/** The dialog that lists the keyboard shortcuts. A script opens it. */
export function shortcutsDialog(): SafeHtml {
  const sections = sectionGroups.flatMap((group) => [...group.sections]);
  return html`<dialog id="shortcuts" aria-labelledby="shortcuts-title"><section class="sheet">
<h2 id="shortcuts-title">Keyboard shortcuts</h2>
<dl class="pairs keys"><dt><kbd>/</kbd></dt><dd>Search</dd><dt><kbd>?</kbd></dt><dd>This list</dd>
${sections.map(([name, label]) => html`<dt><kbd>g</kbd> <kbd>${sectionKeys[name]}</kbd></dt><dd>${label}</dd>\n`)}</dl>
<form method="dialog"><button class="quiet" autofocus>Close</button></form>
</section></dialog>`;
}
