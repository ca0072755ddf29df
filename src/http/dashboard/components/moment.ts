import { html, type SafeHtml } from '@remix-run/html-template';
import { formatTime } from '../../../text/format.js';
import { longDate } from '../../../text/format-money.js';

/** A moment on the account's clock, to the second and in UTC: `2026-03-08 09:00:00`. @param iso ISO 8601 in UTC */
export function moment(iso: string): SafeHtml {
  return html`<time datetime="${iso}">${formatTime(iso)}</time>`;
}

/** A time as shown to guests: `8 March 2026, 09:00 UTC`. */
export function longMoment(iso: string): SafeHtml {
  return html`<time datetime="${iso}">${longDate(iso.slice(0, 10))}, ${iso.slice(11, 16)} UTC</time>`;
}

/** A date: `8 March 2026`. @param date `YYYY-MM-DD` */
export function day(date: string): SafeHtml {
  return html`<time datetime="${date}">${longDate(date)}</time>`;
}
