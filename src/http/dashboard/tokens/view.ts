import { html, type SafeHtml } from '@remix-run/html-template';
import { scopes } from '../../../domain/records.js';
import type { components } from '../../../generated/control-validated-types.js';
import { dangerButton } from '../components/danger-button.js';
import { type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard.js';
import { form } from '../components/form.js';
import { table } from '../components/list.js';
import { timestamp } from '../components/timestamp.js';
import { connectCard } from './connect.js';

type Token = components['schemas']['Token'];

/** The tokens of the account, a form for a new one, and how to connect an app. @param baseUrl of the service */
export function tokensPage(location: DashboardLocation, tokens: readonly Token[], baseUrl: string): string {
  return dashboardPage(
    location,
    'Tokens',
    html`<div class="beside">
<section class="sheet">
<h2>New token</h2>
${form(
  location,
  'createToken',
  ({
    text,
    boxes,
  }) => html`${text({ name: 'name', label: 'Name', attributes: html`required maxlength="255" placeholder="reporting"` })}
${boxes({ name: 'scopes[]', label: 'Scopes', options: scopes.map((value) => ({ value })), checked: scopes })}
<p class="hint">The token is shown once, when it is created.</p>
<button>Create token</button>`,
)}
</section>
${connectCard(location.account, baseUrl)}
</div>
${liveSection(location, 'tokens', html`<div class="sheet">${tokensTable(location, tokens)}</div>`)}`,
  );
}

function tokensTable(location: DashboardLocation, tokens: readonly Token[]): SafeHtml {
  if (tokens.length === 0) {
    return html`<p class="empty">No tokens: every token was revoked. Create one above.</p>`;
  }
  return table<Token>(
    [
      { label: 'Name', show: ({ name }) => name },
      { label: 'Scopes', show: ({ scopes: grantedScopes }) => grantedScopes.join(', ') },
      { label: 'Created (UTC)', show: ({ created_at }) => timestamp(created_at) },
      { label: 'Actions', show: (token) => dangerButton(location, 'revokeToken', 'Revoke', token) },
    ],
    tokens,
    'Active tokens',
  );
}
