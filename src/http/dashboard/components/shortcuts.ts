import { html, type SafeHtml } from '@remix-run/html-template';
import { sectionGroups } from './sections.js';

/** The dialog that lists the keyboard shortcuts. A script opens it. */
export function shortcutsDialog(): SafeHtml {
  const sections = sectionGroups.flatMap((group) => [...group.sections]);
  return html`<dialog id="shortcuts" aria-labelledby="shortcuts-title"><section class="sheet">
<h2 id="shortcuts-title">Keyboard shortcuts</h2>
<dl class="pairs keys"><dt><kbd>/</kbd></dt><dd>Search</dd><dt><kbd>?</kbd></dt><dd>This list</dd>
${sections.map(([, label, key]) => html`<dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd>${label}</dd>\n`)}</dl>
<form method="dialog"><button class="quiet" autofocus>Close</button></form>
</section></dialog>`;
}
