import { domainToASCII } from 'node:url';
import { UserError } from '../lib/user-error.js';

/** Thrown for an unusable SMTP URL. The message never quotes it, since it may contain a password. */
export class SmtpUrlError extends UserError {
  override readonly name = 'SmtpUrlError';
}

/** An SMTP server and its connection settings. */
export interface SmtpServer {
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  /** Undefined for the default: 587, or 465 with `secure`. */
  readonly port: number | undefined;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
}

const expectedForms = 'write smtp://host:port, smtp://user:password@host:port or smtps://host:port';

/** Parses `smtp://user:password@host:port`. @throws SmtpUrlError */
export function parseSmtpUrl(text: string): SmtpServer {
  // `URL` rejects ports beyond 65535, spaces in the host and the like, without saying which.
  if (!URL.canParse(text)) throw new SmtpUrlError(`the SMTP address is not a URL; ${expectedForms}`);
  const url = new URL(text);
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') {
    throw new SmtpUrlError(`the SMTP address begins with neither smtp:// nor smtps://; ${expectedForms}`);
  }
  // `URL` does not convert international host names of schemes other than http. An invalid host name becomes the empty
  // string.
  const host = domainToASCII(decoded(url.hostname, 'host'));
  if (host === '') throw new SmtpUrlError(`the SMTP address names no host; ${expectedForms}`);
  if (url.port === '0') throw new SmtpUrlError('the SMTP address has port 0, which nothing can listen on');
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new SmtpUrlError(`the SMTP address goes on after the port; ${expectedForms}, with %2F for a / in a password`);
  }
  if ((url.username === '') !== (url.password === '')) {
    throw new SmtpUrlError(`the SMTP address has only one of user and password; ${expectedForms}`);
  }
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? undefined : Number(url.port),
    secure: url.protocol === 'smtps:',
    login:
      url.username === ''
        ? undefined
        : { user: decoded(url.username, 'user'), pass: decoded(url.password, 'password') },
  };
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SmtpUrlError(`the ${part} in the SMTP address has a % that is not a valid escape; write %25 for it`);
  }
}
