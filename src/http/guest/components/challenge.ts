import { html } from '@remix-run/html-template';
import { guestPage } from '../../dashboard/components/layout.js';

export interface ChallengeView {
  /** Where the answer is sent, without the host. */
  readonly path: string;
  /** What is asked for: `€149.90 for Room 7`. */
  readonly what: string;
  /** The form that the card was typed in; empty where none is needed. */
  readonly form: string;
}

/** What the guest's bank asks in between. */
export function challengePage({ path, what, form }: ChallengeView): string {
  return guestPage(
    'Do you approve?',
    html`<p>This is what the bank of the card would ask now.</p>
<p class="asked">${what}</p>
<form method="post" action="${path}" class="actions">
<input type="hidden" name="form" value="${form}">
<button name="answer" value="approve">Approve</button>
<button name="answer" value="fail" class="quiet">Fail</button>
</form>`,
  );
}
