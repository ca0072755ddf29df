import { html } from '@remix-run/html-template';
import { guestPage } from '../components/layout.js';

/**
 * The page that asks for the control token.
 * @param returnTo the page to show afterwards @param wasRefused true after a wrong token
 */
export function signInPage(returnTo: string, wasRefused: boolean): string {
  return guestPage(
    'Sign in',
    html`<p>This simulator was started with a control token.</p>
${wasRefused ? html`<p class="notice refused" id="wrong" role="alert">That is not the control token.</p>` : ''}
<form method="post" action="/dashboard/sign-in" class="fields">
<input type="hidden" name="then" value="${returnTo}">
<label>Control token <input type="password" name="token" required autocomplete="current-password" autofocus${wasRefused ? html` aria-invalid="true" aria-describedby="wrong"` : ''}></label>
<button>Sign in</button>
</form>`,
  );
}
