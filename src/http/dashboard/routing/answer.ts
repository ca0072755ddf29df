import type { Answer } from '../../service/answer.js';

/**
 * Everything comes from here, and nothing is inline; what a client has set cannot become a script, whatever it is. Nobody
 * may frame a page, and its forms lead here alone.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
};

/** A whole document. */
export function page(html: string, status = 200): Answer {
  return { status, body: html, headers };
}

/** What a form is answered with, so that loading the page anew does nothing twice. @param path without the host */
export function seeOther(path: string): Answer {
  return { status: 303, body: '', headers: { ...headers, Location: path } };
}

/** What a mail may do in its frame: look as it looks. It is of no origin, runs nothing, and sends nothing. */
const framePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox',
].join('; ');

/** A document that others have written, for a frame in a page. */
export function framed(html: string): Answer {
  return {
    status: 200,
    body: html,
    headers: { ...headers, 'Content-Security-Policy': framePolicy, 'Referrer-Policy': 'no-referrer' },
  };
}
