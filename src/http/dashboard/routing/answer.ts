import type { Answer } from '../../service/answer.js';

/**
 * Everything is loaded from this server, and nothing is inline, so that input cannot become a script. Pages cannot be
 * framed, and forms are only sent here.
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

/** An HTML response. */
export function page(html: string, status = 200): Answer {
  return { status, body: html, headers };
}

/** A file to be saved. @param name of letters, digits, dots, hyphens and underscores */
export function download(content: string, name: string, type: string): Answer {
  const contentHeaders = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
  return { status: 200, body: content, headers: { ...headers, ...contentHeaders } };
}

/** The response to a form, so that a reload does not send it again. @param path without the host */
export function seeOther(path: string): Answer {
  return { status: 303, body: '', headers: { ...headers, Location: path } };
}

/** The policy of mails in their frame: inline styles only; no origin, no scripts, no requests. */
const framePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox',
].join('; ');

/** A document with foreign HTML, for a sandboxed frame. */
export function framed(html: string): Answer {
  return {
    status: 200,
    body: html,
    headers: { ...headers, 'Content-Security-Policy': framePolicy, 'Referrer-Policy': 'no-referrer' },
  };
}

/** A text to download. */
export function textFile(text: string): Answer {
  return { status: 200, body: text, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' } };
}
