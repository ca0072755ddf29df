import { errorCode, isError } from '../lib/errors.js';
import { memberOf } from '../lib/json.js';
import { lazy } from '../lib/lazy.js';
import { isLoopback } from '../lib/loopback.js';
import { truncate } from '../lib/messages.js';
import type { MailFailure, SendMail } from '../simulation/state/ports.js';
import { oneLine } from './one-line.js';
import { sender } from './reminder-content.js';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.js';

/** Timeouts for an SMTP server. */
interface SmtpTimeouts {
  /** For opening the connection. */
  readonly connectionMs: number;
  /** For the server's greeting, once the connection is open. */
  readonly greetingMs: number;
  /** For a pause in which the server sends no data. */
  readonly silenceMs: number;
  /** For a whole email. Without it, a server that sends a byte from time to time would never time out. */
  readonly mailMs: number;
}

const defaultTimeouts: SmtpTimeouts = { connectionMs: 5_000, greetingMs: 5_000, silenceMs: 10_000, mailMs: 30_000 };

/** Maximum length of a stored error message, since some servers send long texts. */
const maxReasonCharacters = 300;

/**
 * Creates a mailer, which sends each email to an SMTP server over a new connection.
 * @param url `smtp://host:port`, `smtp://user:password@host:port`, `smtps://…`
 * @returns `send` resolves to the failure, or to null if the server accepted the email; `close` makes the emails in
 * progress and all later ones fail
 * @throws SmtpUrlError
 */
export function createSmtpMailer(
  url: string,
  timeoutOverrides: Partial<SmtpTimeouts> = {},
): { readonly send: SendMail; readonly close: () => void } {
  const server = parseSmtpUrl(url);
  const timeouts = { ...defaultTimeouts, ...timeoutOverrides };
  const closing = new AbortController();
  const transport = lazy(() => createTransport(server, timeouts));
  return {
    async send({ to, subject, text, html, created_at }) {
      const deadline = AbortSignal.timeout(timeouts.mailMs);
      try {
        await (await transport()).sendMail({
          from: sender,
          // An object is always a single recipient. A string could contain several addresses.
          to: { name: '', address: to },
          subject,
          text,
          html,
          // The time on the account's clock, which may differ from the time of the machine.
          date: new Date(created_at),
          // Suppresses automatic replies (RFC 3834, 5).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([closing.signal, deadline]),
        });
        return null;
      } catch (error) {
        if (closing.signal.aborted) return temporaryFailure('the mailer was closed before the email was sent');
        if (deadline.aborted)
          return temporaryFailure(`the server took longer than ${timeouts.mailMs / 1_000} s to accept the email`);
        return { reason: failureReason(error, server), isPermanent: isPermanentRejection(error) };
      }
    },
    close: () => closing.abort(),
  };
}

/**
 * Creates a transport, without connecting. The library is imported only for the first email, so that it does not slow
 * down the start of the simulator.
 */
async function createTransport({ host, port, secure, login }: SmtpServer, timeouts: SmtpTimeouts) {
  const nodemailer = await import('nodemailer');
  return nodemailer.createTransport({
    host,
    port,
    secure,
    auth: login,
    // A local server usually has no trusted certificate, and nobody can intercept the connection.
    tls: { rejectUnauthorized: !isLoopback(host) },
    dnsTimeout: timeouts.connectionMs,
    connectionTimeout: timeouts.connectionMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
    // Destroys the socket if the server does not close the connection.
    socketCloseTimeout: 1_000,
  });
}

function temporaryFailure(reason: string): MailFailure {
  return { reason, isPermanent: false };
}

/** Response to any command of a client that must log in or start TLS first (RFC 4954, 6; RFC 3207, 4). */
const loginRequired = 530;

/**
 * Returns true if the server has rejected the sender, the recipient or the content of an email with a 5xx, which is
 * permanent (RFC 5321, 4.2.1). A 5xx about the connection or the login is not about the email; the server or the
 * URL may be corrected before the next attempt.
 */
function isPermanentRejection(error: unknown): boolean {
  if (memberOf(error, 'responseCode') === loginRequired) return false;
  const code = errorCode(error);
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && memberOf(error, 'permanent') === true;
}

/** The reason why an email could not be sent. Credentials are replaced, since some servers echo them. */
function failureReason(error: unknown, { login }: SmtpServer): string {
  const reason = isError(error) ? error.message || String(error) : String(error);
  const redacted = secretsOf(login).reduce((text, secret) => text.replaceAll(secret, '***'), reason);
  const line = oneLine(redacted);
  return line.length > maxReasonCharacters ? truncate(line, maxReasonCharacters - 1) : line;
}

/**
 * The credentials, as configured and in the encodings that AUTH PLAIN (RFC 4616) and AUTH LOGIN send. Longest first,
 * since one of them may contain another.
 */
function secretsOf(login: SmtpServer['login']): string[] {
  if (login === undefined) return [];
  const { user, pass } = login;
  const base64 = [user, pass, `\0${user}\0${pass}`].map((text) => Buffer.from(text).toString('base64'));
  return [user, pass, ...base64].sort((a, b) => b.length - a.length);
}
