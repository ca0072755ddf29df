import { html, type SafeHtml } from '@remix-run/html-template';
import { formatInstant } from '../../../domain/dates.js';
import { scopes, type Token } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { tokenExpiresAt } from '../../../simulation/accounts.js';
import { unrevokedTokensOf } from '../../../simulation/tokens.js';
import { dangerButton } from '../components/danger-button.js';
import { type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { form } from '../components/form.js';
import { type Column, table } from '../components/list.js';
import { pageCommand } from '../components/page-command.js';
import { sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import type { PageContext, PageHandler, PageRoute } from '../routing/page.js';

/** The tokens of the account, a form for a new one, and how to connect an app. */
const showTokens: PageHandler = (context) => {
  const { account, location } = context;
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
    checkboxes,
  }) => html`${text({ name: 'name', label: 'Name', attributes: html`required placeholder="reporting"` })}
${checkboxes({ name: 'scopes[]', label: 'Scopes', options: scopes.map((value) => ({ value })), checked: scopes })}
<p class="hint">The token is shown only once, when it is created.</p>
<button>Create token</button>`,
)}
</section>
${connectCard(context)}
</div>
${liveSection(location, 'tokens', html`<div class="sheet">${tokensTable(account, location, unrevokedTokensOf(account))}</div>`)}`,
  );
};

function tokensTable(account: Account, location: DashboardLocation, tokens: readonly Token[]): SafeHtml {
  if (tokens.length === 0) {
    return html`<p class="empty">No tokens: every token has been revoked. Create one above.</p>`;
  }
  const expiry: Column<Token> = {
    label: 'Expires (UTC)',
    show: (token) => {
      const at = tokenExpiresAt(token, account.profile);
      return at === undefined
        ? 'never'
        : html`${timestamp(formatInstant(at))}${at <= account.now() ? html` ${statusBadge('expired')}` : ''}`;
    },
  };
  return table<Token>(
    [
      { label: 'Name', show: ({ name }) => name },
      { label: 'Scopes', show: ({ scopes: grantedScopes }) => grantedScopes.join(', ') },
      { label: 'Created (UTC)', show: ({ created_at }) => timestamp(created_at) },
      expiry,
      { label: 'Actions', show: (token) => dangerButton(location, 'revokeToken', 'Revoke', token) },
    ],
    tokens,
    'Tokens that have not been revoked',
  );
}

/** Instructions for connecting an app to the account: environment variables, a first request, and webhooks. */
function connectCard(context: PageContext): SafeHtml {
  const baseUrl = context.views.baseUrl();
  return html`<section class="sheet" id="connect"><h2>Connect your app</h2>
<h3>Environment variables</h3>
<pre data-copy>export BILLING_URL=${baseUrl}
export BILLING_TOKEN=<em>a token of this account</em></pre>
<p class="hint">Replace the text in italics with a token. A token is shown only once, when it is created.</p>
<h3>A first request</h3>
<pre data-copy>curl -H "Authorization: Bearer $BILLING_TOKEN" "$BILLING_URL/deposits"</pre>
<h3>Webhooks</h3>
<p>Forward them to your app while you develop, and verify their signatures with the secret:</p>
<pre data-copy>${pageCommand(context, 'listen --forward-to localhost:3000/webhooks')}</pre>
<pre data-copy>export WEBHOOK_SECRET=$(${pageCommand(context, 'listen --print-secret')})</pre>
<p>Or set a URL, and rotate the secret, on the page <a href="${sectionPath(context.location.account, 'webhooks')}">Webhooks</a>.</p>
</section>`;
}

export const tokenPages: readonly PageRoute[] = [['/tokens', showTokens]];
