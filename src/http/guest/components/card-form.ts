import { html, type SafeHtml } from '@remix-run/html-template';
import type { InvalidCardReason } from '../../../domain/test-cards.js';
import type { GuestTexts } from '../texts/guest-texts.js';

/** A test card and its outcome. */
interface TestCard {
  readonly number: string;
  /** Identifies the card in URLs, which never contain card numbers. */
  readonly outcome: string;
  readonly text: string;
}

/**
 * How the form is shown: with the reason why the entered number was refused, or with a test card filled in. An entered
 * number is not shown again, because it may belong to a real card.
 */
export interface CardFormState {
  readonly invalidReason?: InvalidCardReason;
  /** The outcome of the test card to fill in; an unknown outcome fills in nothing. */
  readonly prefilledOutcome?: string | undefined;
}

export interface CardForm {
  readonly texts: GuestTexts;
  /** The URL of the page, without the host. */
  readonly path: string;
  /** The URL that the form is sent to, without the host. */
  readonly action: string;
  readonly button: string;
  readonly cards: readonly TestCard[];
  readonly state: CardFormState;
  /** Hidden fields. */
  readonly hidden?: SafeHtml;
}

/** A form for a card number, with the list of test cards, each a link that fills in its number. */
export function cardForm({ texts, path, action, button, cards, state, hidden }: CardForm): SafeHtml {
  const { invalidReason, prefilledOutcome } = state;
  const prefilledNumber = cards.find(({ outcome }) => outcome === prefilledOutcome)?.number;
  const prefill = prefilledNumber === undefined ? '' : html` value="${prefilledNumber}" autofocus`;
  const [error, attributes] = invalidReason
    ? [
        html`<p class="notice refused" id="card-error" role="alert">${texts.invalidCard[invalidReason]} ${texts.enterNumberAgain}</p>`,
        html` aria-invalid="true" aria-describedby="card-error" autofocus`,
      ]
    : ['', prefill];
  return html`<form method="post" action="${action}" class="fields">
${hidden ?? ''}${error}
<label>${texts.cardNumber} <input name="number" inputmode="numeric" autocomplete="off" list="cards" required maxlength="40"${attributes}></label>
<datalist id="cards">${cards.map(({ number, text }) => html`<option value="${number}">${text}</option>`)}</datalist>
<button>${button}</button>
</form>
<table class="cards">
<caption>${texts.testCards} ${texts.testCardHint}</caption>
<thead><tr><th scope="col">${texts.testCardNumber}</th><th scope="col">${texts.outcome}</th></tr></thead>
<tbody>
${cards.map(({ number, outcome, text }) => html`<tr><td class="mono"><a href="${path}?card=${outcome}">${number}</a></td><td>${text}</td></tr>\n`)}</tbody>
</table>`;
}
