import { html, type SafeHtml } from '@remix-run/html-template';

/** A test card and its outcome. */
interface OfferedCard {
  readonly number: string;
  readonly text: string;
}

/** The reason why the input is not a card number. The input is not shown again, since it may be a real number. */
export interface Mistyped {
  readonly reason: string;
}

export interface CardForm {
  /** The URL that the form is sent to, without the host. */
  readonly action: string;
  readonly button: string;
  readonly cards: readonly OfferedCard[];
  readonly mistyped: Mistyped | undefined;
  /** Hidden fields. */
  readonly hidden?: SafeHtml;
}

/** A form for a card number, with the list of test cards. */
export function cardForm({ action, button, cards, mistyped, hidden }: CardForm): SafeHtml {
  const error =
    mistyped && html`<p class="notice refused" id="wrong" role="alert">${mistyped.reason} Enter the number again.</p>`;
  const invalid = mistyped ? html` aria-invalid="true" aria-describedby="wrong" autofocus` : '';
  return html`<form method="post" action="${action}" class="fields">
${hidden ?? ''}${error ?? ''}
<label>Card number <input name="number" inputmode="numeric" autocomplete="off" list="cards" required maxlength="40"${invalid}></label>
<datalist id="cards">${cards.map(({ number, text }) => html`<option value="${number}">${text}</option>`)}</datalist>
<button>${button}</button>
</form>
<table class="cards">
<caption>Test cards. Every other card is declined. Never enter a real one.</caption>
<thead><tr><th scope="col">Number</th><th scope="col">Outcome</th></tr></thead>
<tbody>
${cards.map(({ number, text }) => html`<tr><td class="mono">${number}</td><td>${text}</td></tr>\n`)}</tbody>
</table>`;
}
