import { html } from '@remix-run/html-template';
import { centeredPage } from '../../dashboard/components/layout.js';
import type { GuestTexts } from '../texts/guest-texts.js';

export interface ChallengeView {
  readonly texts: GuestTexts;
  /** The path of the page, to which the form is sent, too. */
  readonly path: string;
  /** The amount and what it is for: `€149.90 for Room 7`. */
  readonly amountAndPurpose: string;
  /**
   * The id of the checkout form that created the payment, which identifies the payment. Omitted for a deposit, which
   * the path identifies.
   */
  readonly checkoutFormId?: string;
}

/** The page on which the guest's bank asks for approval. */
export function challengePage({ texts, path, amountAndPurpose, checkoutFormId }: ChallengeView): string {
  return centeredPage(
    texts.challengeTitle,
    html`<p>${texts.challengeText}</p>
<p class="purpose">${amountAndPurpose}</p>
<form method="post" action="${path}" class="actions">
<input type="hidden" name="form" value="${checkoutFormId ?? ''}">
<button name="answer" value="approve">${texts.approve}</button>
<button name="answer" value="decline" class="quiet">${texts.decline}</button>
</form>`,
    texts,
  );
}
