import { html, type SafeHtml } from '@remix-run/html-template';
import { formatRelativeTime } from '../../../text/agenda-text.js';
import { formatTime } from '../../../text/format.js';
import { longDate } from '../../../text/long-date.js';

/** A time on the account's clock, to the second and in UTC: `2026-03-08 09:00:00`. @param iso ISO 8601 in UTC */
export function timestamp(iso: string): SafeHtml {
  return html`<time datetime="${iso}">${formatTime(iso)}</time>`;
}

/**
 * A time relative to the current one: `8 d ago`. The tooltip shows the time.
 * @param iso ISO 8601 in UTC @param now the time on the account's clock, ISO 8601 in UTC
 */
export function relativeTime(iso: string, now: string): SafeHtml {
  return html`<time datetime="${iso}" title="${formatTime(iso)} UTC">${formatRelativeTime(iso, now)}</time>`;
}

/** A time as shown to guests: `8 March 2026, 09:00 UTC`. */
export function localizedTime(iso: string, locale: string): SafeHtml {
  return html`<time datetime="${iso}">${longDate(iso.slice(0, 10), locale)}, ${iso.slice(11, 16)} UTC</time>`;
}

/** A date: `8 March 2026`. @param date `YYYY-MM-DD` */
export function day(date: string, locale: string): SafeHtml {
  return html`<time datetime="${date}">${longDate(date, locale)}</time>`;
}
