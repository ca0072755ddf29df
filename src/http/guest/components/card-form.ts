import { html, type SafeHtml } from '@remix-run/html-template';

/** A card that testers may type, and what comes of it. */
interface OfferedCard {
  readonly number: string;
  readonly text: string;
}

/** Why what was typed is not a card number. The number itself is not shown again: it may be a real one. */
export interface Mistyped {
  readonly reason: string;
}

export interface CardForm {
  /** Where it is sent, without the host. */
  readonly action: string;
  readonly button: string;
  readonly cards: readonly OfferedCard[];
  readonly mistyped: Mistyped | undefined;
  /** Fields that are not shown. */
  readonly hidden?: SafeHtml;
}

/** Asks for a card, and says which ones there are. */
export function cardForm({ action, button, cards, mistyped, hidden }: CardForm): SafeHtml {
  const wrong =
    mistyped && html`<p class="notice refused" id="wrong" role="alert">${mistyped.reason} Type the number again.</p>`;
  const invalid = mistyped ? html` aria-invalid="true" aria-describedby="wrong" autofocus` : '';
  return html`<form method="post" action="${action}" class="fields">
${hidden ?? ''}${wrong ?? ''}
<label>Card number <input name="number" inputmode="numeric" autocomplete="off" list="cards" required maxlength="40"${invalid}></label>
<datalist id="cards">${cards.map(({ number, text }) => html`<option value="${number}">${text}</option>`)}</datalist>
<button>${button}</button>
</form>
<table class="cards">
<caption>Test cards. Every other card is declined; never type a real one.</caption>
<thead><tr><th scope="col">Number</th><th scope="col">What comes of it</th></tr></thead>
<tbody>
${cards.map(({ number, text }) => html`<tr><td class="mono">${number}</td><td>${text}</td></tr>\n`)}</tbody>
</table>`;
}
