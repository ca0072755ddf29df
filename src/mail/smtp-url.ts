import { domainToASCII } from 'node:url';
import { parseUrl } from '../lib/parse-url.js';
import { UserError } from '../lib/user-error.js';

/** Thrown for an invalid SMTP URL. The message never quotes the URL, since it may contain a password. */
export class SmtpUrlError extends UserError {
  override readonly name = 'SmtpUrlError';
}

/** An SMTP server and its connection settings. */
export interface SmtpServer {
  /** Host name or IP address; an IPv6 address has no brackets. */
  readonly host: string;
  /** Undefined for the default: 587, or 465 with `secure`. */
  readonly port: number | undefined;
  /** True for TLS from the first byte; otherwise STARTTLS is used if the server offers it. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
}

const expectedForms = 'write smtp://host:port, smtp://user:password@host:port or smtps://host:port';

/** Parses a URL such as `smtp://user:password@host:port`. @throws SmtpUrlError */
export function parseSmtpUrl(text: string): SmtpServer {
  // `URL` also rejects ports above 65535 and spaces in the host, but does not report the reason.
  const url = parseUrl(text);
  if (!url) throw new SmtpUrlError(`the SMTP URL is not valid; ${expectedForms}`);
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') {
    throw new SmtpUrlError(`the SMTP URL begins with neither smtp:// nor smtps://; ${expectedForms}`);
  }
  // `URL` leaves international host names in smtp: URLs as they are. Here they become ASCII, and an invalid host name
  // becomes the empty string.
  const host = domainToASCII(decodePart(url.hostname, 'host'));
  if (host === '') throw new SmtpUrlError(`the SMTP URL has no host; ${expectedForms}`);
  if (url.port === '0') throw new SmtpUrlError('the SMTP URL has port 0, which nothing can listen on');
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new SmtpUrlError(
      `the SMTP URL has a path, query or fragment; ${expectedForms}, with %2F for a / in a password`,
    );
  }
  if ((url.username === '') !== (url.password === '')) {
    throw new SmtpUrlError(`the SMTP URL has only one of user and password; ${expectedForms}`);
  }
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? undefined : Number(url.port),
    secure: url.protocol === 'smtps:',
    login:
      url.username === ''
        ? undefined
        : { user: decodePart(url.username, 'user'), pass: decodePart(url.password, 'password') },
  };
}

function decodePart(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SmtpUrlError(`the ${part} in the SMTP URL has a % that is not a valid escape; write %25 for it`);
  }
}
