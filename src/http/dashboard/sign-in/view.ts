import { html } from '@remix-run/html-template';
import { returnToField } from '../components/form-fields.js';
import { centeredPage } from '../components/layout.js';

interface SignInView {
  /** The page to show afterwards, without the host. */
  readonly returnTo: string;
  /** True after the user has sent a wrong token. */
  readonly wasTokenWrong: boolean;
}

/** The page that asks for the control token. */
export function signInPage({ returnTo, wasTokenWrong }: SignInView): string {
  return centeredPage(
    'Sign in',
    html`<p>This simulator was started with a control token.</p>
${wasTokenWrong ? html`<p class="notice refused" id="wrong" role="alert">That is not the control token.</p>` : ''}
<form method="post" action="/dashboard/sign-in" class="fields">
${returnToField(returnTo)}
<label>Control token <input type="password" name="token" required autocomplete="current-password" autofocus${wasTokenWrong ? html` aria-invalid="true" aria-describedby="wrong"` : ''}></label>
<button>Sign in</button>
</form>`,
  );
}
