import { html, type SafeHtml } from '@remix-run/html-template';
import { addressOf } from '../components/dashboard.js';

/** Instructions for connecting an app to the account: environment variables, a first request, and webhooks. */
export function connectCard(account: string, baseUrl: string): SafeHtml {
  const option = account === 'demo' ? '' : ` --account ${account}`;
  return html`<section class="sheet" id="connect"><h2>Connect your app</h2>
<h3>Environment variables</h3>
<pre data-copy>BILLING_URL=${baseUrl}
BILLING_TOKEN=<em>a token of this account</em></pre>
<p class="hint">Replace the text with a token. A token is shown once, when it is created.</p>
<h3>A first request</h3>
<pre data-copy>curl -H "Authorization: Bearer $BILLING_TOKEN" ${baseUrl}/deposits</pre>
<h3>Webhooks</h3>
<p>Forward them to your app while you develop, and verify their signatures with the secret:</p>
<pre data-copy>billing-sim listen${option} --forward-to http://127.0.0.1:3000/webhooks</pre>
<pre data-copy>export WEBHOOK_SECRET=$(billing-sim listen${option} --print-secret)</pre>
<p>Or set a URL, and rotate the secret, in <a href="${addressOf(account, 'webhooks')}">Webhooks</a>.</p>
</section>`;
}
