import { html } from '@remix-run/html-template';
import { noticeBlock } from '../../dashboard/components/dashboard-page.js';
import { centeredPage } from '../../dashboard/components/layout.js';
import { textNotice } from '../guest-page.js';
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

/**
 * The page in place of the challenge if the amount to pay has changed meanwhile, so that an approval could no longer
 * pay it. Its button ends the payment; the guest can then pay the new amount.
 */
export function outdatedChallengePage({ texts, path, amountAndPurpose, checkoutFormId }: ChallengeView): string {
  return centeredPage(
    texts.paymentTitles.failed,
    html`${noticeBlock(textNotice('refused', texts.amountChanged))}
<p class="purpose">${amountAndPurpose}</p>
<form method="post" action="${path}" class="actions">
<input type="hidden" name="form" value="${checkoutFormId ?? ''}">
<button name="answer" value="decline">${texts.continue}</button>
</form>`,
    texts,
  );
}
