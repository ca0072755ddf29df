import type { ResponseData } from '../../service/response.js';

/**
 * The content security policy of pages. Everything is loaded from this server and nothing is inline, so that text from
 * users cannot become a script. Other sites cannot show the pages in a frame. Forms are only sent to this server.
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
export function htmlResponse(html: string, status = 200): ResponseData {
  return { status, body: html, headers };
}

/** A file that the browser saves. @param name consists of letters, digits, dots, hyphens and underscores */
export function download(content: string, name: string, type: string): ResponseData {
  const contentHeaders = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
  return { status: 200, body: content, headers: { ...headers, ...contentHeaders } };
}

/**
 * Redirects to a page after a form was submitted, so that a reload does not submit it again.
 * @param path without the host
 */
export function seeOther(path: string): ResponseData {
  return { status: 303, body: '', headers: { ...headers, Location: path } };
}

/** The policy for an email that is shown in a frame: inline styles only; no origin, no scripts, no requests. */
const framePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox',
].join('; ');

/** An HTML document that was not written by the dashboard, for a sandboxed frame. */
export function sandboxedHtmlResponse(html: string): ResponseData {
  return {
    status: 200,
    body: html,
    headers: { ...headers, 'Content-Security-Policy': framePolicy, 'Referrer-Policy': 'no-referrer' },
  };
}

/** A plain-text response. */
export function textResponse(text: string): ResponseData {
  return { status: 200, body: text, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' } };
}
