import { isLoopback } from '../domain/hosts.js';
import type { SendMail } from '../simulation/state/ports.js';
import { oneLine } from './one-line.js';
import { sender } from './sender.js';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.js';

/** Timeouts of the SMTP server, in milliseconds. */
interface SmtpTimeouts {
  /** To connect. */
  readonly connection: number;
  /** From then to the greeting. */
  readonly greeting: number;
  /** Without any data from the server. */
  readonly silence: number;
  /** For a whole mail: a server that sends a byte now and then never times out otherwise. */
  readonly mail: number;
}

const defaultTimeoutsMs: SmtpTimeouts = { connection: 5_000, greeting: 5_000, silence: 10_000, mail: 30_000 };

/** Maximum length of a stored reason: some servers send long texts. */
const maxReasonCharacters = 300;

/**
 * Sends mails to an SMTP server, each over a connection of its own.
 * @param url `smtp://host:port`, `smtp://user:password@host:port`, `smtps://…`
 * @returns `close` aborts current mails and rejects later ones
 * @throws SmtpUrlError
 */
export function createSmtpMailer(
  url: string,
  limits: Partial<SmtpTimeouts> = {},
): { readonly send: SendMail; readonly close: () => void } {
  const server = parseSmtpUrl(url);
  const timeouts = { ...defaultTimeoutsMs, ...limits };
  const closing = new AbortController();
  let transport: ReturnType<typeof connect> | undefined;
  return {
    async send({ to, subject, text, html, created_at }) {
      const deadline = AbortSignal.timeout(timeouts.mail);
      try {
        transport ??= connect(server, timeouts);
        await (await transport).sendMail({
          from: sender,
          // As an object it is a single recipient, whatever it contains.
          to: { name: '', address: to },
          subject,
          text,
          html,
          // Time of the account, which may differ from the machine's.
          date: created_at,
          // Suppresses automatic replies (RFC 3834, 5).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([closing.signal, deadline]),
        });
        return null;
      } catch (error) {
        if (closing.signal.aborted) return 'the mailer was closed before the mail was handed over';
        if (deadline.aborted) return `the server took longer than ${timeouts.mail / 1_000} s over the mail`;
        return reasonOf(error, server);
      }
    },
    close: () => closing.abort(),
  };
}

/**
 * Creates a transport, without connecting. The library is imported with the first mail, so that it does not slow down
 * the start.
 */
async function connect({ host, port, secure, login }: SmtpServer, timeouts: SmtpTimeouts) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure,
    auth: login,
    // A local server usually has no trusted certificate, and nobody can intercept the connection.
    tls: { rejectUnauthorized: !isLoopback(host) },
    dnsTimeout: timeouts.connection,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    // For a server that does not close the connection.
    socketCloseTimeout: 1_000,
  });
}

/** Why a mail could not be sent, without credentials, which some servers repeat. */
function reasonOf(error: unknown, { login }: SmtpServer): string {
  const reason = error instanceof Error ? error.message || String(error) : String(error);
  const hidden = secretsOf(login).reduce((text, secret) => text.replaceAll(secret, '***'), reason);
  const line = oneLine(hidden);
  return line.length > maxReasonCharacters ? `${line.slice(0, maxReasonCharacters - 1)}…` : line;
}

/** Credentials as configured and as sent (RFC 4616, AUTH LOGIN), longest first. */
function secretsOf(login: SmtpServer['login']): string[] {
  if (login === undefined) return [];
  const { user, pass } = login;
  const base64 = [user, pass, `\0${user}\0${pass}`].map((text) => Buffer.from(text).toString('base64'));
  return [user, pass, ...base64].sort((one, other) => other.length - one.length);
}
