import { isLoopback } from '../domain/hosts.js';
import type { SendMail } from '../simulation/state/ports.js';
import { oneLine } from './one-line.js';
import { sender } from './sender.js';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.js';

/** How long is waited for the server, in milliseconds. */
interface SmtpTimeouts {
  /** Until it can be spoken to. */
  readonly connection: number;
  /** From then until it says its first word. */
  readonly greeting: number;
  /** While nothing is heard of it. */
  readonly silence: number;
  /** For all of a mail: a server that sends a byte now and then is never silent. */
  readonly mail: number;
}

const defaultTimeoutsMs: SmtpTimeouts = { connection: 5_000, greeting: 5_000, silence: 10_000, mail: 30_000 };

/** How many characters of a reason are kept: servers tell stories. */
const maxReasonCharacters = 300;

/**
 * Hands mails to an SMTP server, each over a connection of its own.
 * @param url `smtp://host:port`, `smtp://user:password@host:port`, `smtps://…`
 * @returns `close` gives up what is under way and what comes later
 * @throws SmtpUrlError
 */
export function createSmtpMailer(
  url: string,
  limits: Partial<SmtpTimeouts> = {},
): { readonly send: SendMail; readonly close: () => void } {
  const server = parseSmtpUrl(url);
  const wait = { ...defaultTimeoutsMs, ...limits };
  const closing = new AbortController();
  let transport: ReturnType<typeof connect> | undefined;
  return {
    async send({ to, subject, text, html, created_at }) {
      const deadline = AbortSignal.timeout(wait.mail);
      try {
        transport ??= connect(server, wait);
        await (await transport).sendMail({
          from: sender,
          // As an object it is one recipient, whatever is in it.
          to: { name: '', address: to },
          subject,
          text,
          html,
          // The account's time, which need not be the machine's.
          date: created_at,
          // Asks for no holiday notes in return (RFC 3834, 5).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([closing.signal, deadline]),
        });
        return null;
      } catch (error) {
        if (closing.signal.aborted) return 'the mailer was closed before the mail was handed over';
        if (deadline.aborted) return `the server took longer than ${wait.mail / 1_000} s over the mail`;
        return reasonOf(error, server);
      }
    },
    close: () => closing.abort(),
  };
}

/** Nothing is connected yet. The library is loaded here, with the first mail, since starting must not wait for it. */
async function connect({ host, port, secure, login }: SmtpServer, wait: SmtpTimeouts) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure,
    auth: login,
    // Nobody vouches for a certificate of this machine's own, and nobody stands between.
    tls: { rejectUnauthorized: !isLoopback(host) },
    dnsTimeout: wait.connection,
    connectionTimeout: wait.connection,
    greetingTimeout: wait.greeting,
    socketTimeout: wait.silence,
    // For a server that does not hang up in its turn.
    socketCloseTimeout: 1_000,
  });
}

/** Why a mail could not be handed over, without the credentials, which servers are known to repeat. */
function reasonOf(error: unknown, { login }: SmtpServer): string {
  const reason = error instanceof Error ? error.message || String(error) : String(error);
  const hidden = secretsOf(login).reduce((text, secret) => text.replaceAll(secret, '***'), reason);
  const line = oneLine(hidden);
  return line.length > maxReasonCharacters ? `${line.slice(0, maxReasonCharacters - 1)}…` : line;
}

/** The credentials, as they are and as they are sent (RFC 4616, and AUTH LOGIN), the longest first. */
function secretsOf(login: SmtpServer['login']): string[] {
  if (login === undefined) return [];
  const { user, pass } = login;
  const base64 = [user, pass, `\0${user}\0${pass}`].map((text) => Buffer.from(text).toString('base64'));
  return [user, pass, ...base64].sort((one, other) => other.length - one.length);
}
