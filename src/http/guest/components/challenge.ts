import { html } from '@remix-run/html-template';
import { centeredPage } from '../../dashboard/components/layout.js';
import type { GuestTexts } from '../texts/guest-texts.js';

export interface ChallengeView {
  readonly texts: GuestTexts;
  /** The URL that the form is sent to, without the host. */
  readonly path: string;
  /** The amount and what it is for: `€149.90 for Room 7`. */
  readonly purpose: string;
  /**
   * The id of the payment form that the guest sent, which identifies the payment to approve. Empty for a deposit, which
   * the path identifies.
   */
  readonly formId: string;
}

/** The page on which the guest's bank asks for approval. */
export function challengePage({ texts, path, purpose, formId }: ChallengeView): string {
  return centeredPage(
    texts.challengeTitle,
    html`<p>${texts.challenge}</p>
<p class="purpose">${purpose}</p>
<form method="post" action="${path}" class="actions">
<input type="hidden" name="form" value="${formId}">
<button name="answer" value="approve">${texts.approve}</button>
<button name="answer" value="fail" class="quiet">${texts.fail}</button>
</form>`,
    texts,
  );
}
