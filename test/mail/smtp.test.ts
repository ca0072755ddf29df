import type { SMTPServerOptions } from 'smtp-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { renderReminder } from '../../src/mail/reminder.js';
import { createSmtpMailer } from '../../src/mail/smtp.js';
import type { SendMail } from '../../src/simulation/state/ports.js';
import { createDeferred } from '../support/deferred.js';
import { startMailServer, startRawServer } from './mail-server.js';
import { createReminder } from './sample-reminder.js';

const reminderMail = {
  ...renderReminder(
    createReminder({ customer: { name: 'Émilie du Châtelet' }, invoice: { invoice_number: 'Ä-7 🚀' } }),
  ),
  created_at: '2026-03-01T09:00:00.000Z',
};

/** No server listens on this port. */
const closedPort = 1;

/** Creates a mailer that is closed after the test. Its `send` returns the reason for a failure, or null on success. */
function createMailer(...settings: Parameters<typeof createSmtpMailer>) {
  const { send, close } = createSmtpMailer(...settings);
  onTestFinished(close);
  return { send: async (mail: Parameters<SendMail>[0]) => (await send(mail))?.reason ?? null, close };
}

describe('an email', () => {
  test('arrives unchanged, as text and HTML', async () => {
    const { port, received } = await startMailServer();
    expect(await createMailer(`smtp://127.0.0.1:${port}`).send(reminderMail)).toBeNull();
    const [mail] = received;
    if (!mail || received.length > 1) throw new Error(`the server received ${received.length} emails`);
    const { from, recipients, source, parsed } = mail;
    expect({ from, recipients }).toEqual({
      from: 'billing@billing-sim.invalid',
      recipients: ['ada@analytical-engines.example'],
    });
    expect(parsed).toMatchObject({
      from: { name: 'Billing', address: 'billing@billing-sim.invalid' },
      to: [{ address: 'ada@analytical-engines.example' }],
      subject: 'Reminder: invoice Ä-7 🚀, €1,438.50 due on 1 March 2026',
      attachments: [],
    });
    expect(parsed.text?.trimEnd()).toBe(reminderMail.text.trimEnd());
    expect(parsed.html?.trimEnd()).toBe(reminderMail.html.trimEnd());
    // Only ASCII, so that servers without 8BITMIME accept it.
    expect(source).toMatch(/^[\t\r\n\x20-\x7e]*$/);
    expect(source).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(source.match(/^Content-Type: text\/(?:plain|html); charset=utf-8/gm)).toHaveLength(2);
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(source).toMatch(/^Date: Sun, 01 Mar 2026 09:00:00 \+0000\r$/m);
  });

  test('can be sent while the mailer sends other emails', async () => {
    const { port, received } = await startMailServer();
    const { send } = createMailer(`smtp://127.0.0.1:${port}`);
    const mails = ['one', 'two', 'three'].map((subject) => ({ ...reminderMail, subject }));
    expect(await Promise.all(mails.map(send))).toEqual([null, null, null]);
    expect(received.map(({ parsed }) => parsed.subject).sort()).toEqual(['one', 'three', 'two']);
  });

  test.each([
    'ada@a.example, eve@b.example',
    'eve@b.example <ada@a.example>',
    'ada@a.example\r\nRCPT TO:<eve@b.example>',
    '"eve@b.example x"@a.example',
    'friends: ada@a.example, eve@b.example;',
  ])('to %j goes to nobody, since the server gets all of it as one address', async (to) => {
    const { port, received } = await startMailServer();
    const reason = await createMailer(`smtp://127.0.0.1:${port}`).send({ ...reminderMail, to });
    expect(reason).toContain('all recipients were rejected: 501');
    expect(received).toEqual([]);
  });

  test('does not get headers from line breaks in its subject', async () => {
    const { port, received } = await startMailServer();
    const subject = 'Hello\r\nBcc: eve@b.example\r\n\r\n<h1>';
    expect(await createMailer(`smtp://127.0.0.1:${port}`).send({ ...reminderMail, subject })).toBeNull();
    expect(received[0]?.recipients).toEqual([reminderMail.to]);
    expect(received[0]?.parsed.headers.map(({ key }) => key)).not.toContain('bcc');
  });

  test('can be sent through a server given by its host name', async () => {
    const { port, received } = await startMailServer();
    expect(await createMailer(`smtp://localhost:${port}`).send(reminderMail)).toBeNull();
    expect(received).toHaveLength(1);
  });
});

describe('an untrusted certificate', () => {
  test.each([
    ['smtp', { hideSTARTTLS: false }],
    ['smtps', { secure: true }],
  ])('is accepted from a server on this machine (%s)', async (scheme, options) => {
    const { port, received } = await startMailServer(options);
    expect(await createMailer(`${scheme}://127.0.0.1:${port}`).send(reminderMail)).toBeNull();
    expect(received[0]?.isSecure).toBe(true);
  });

  test('is not accepted from a server on another machine', async () => {
    const { port, received } = await startMailServer({ secure: true });
    // The address reaches this machine, but the mailer does not treat it as local.
    expect(await createMailer(`smtps://0.0.0.0:${port}`).send(reminderMail)).toMatch(/certificate/i);
    expect(received).toEqual([]);
  });
});

describe('credentials', () => {
  const user = 'ada@example.com';
  const password = 'p@ss/wörd: 50%';
  const urlCredentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  // The last text is what the PLAIN method sends.
  const secrets = [user, password, ...[user, password, `\0${user}\0${password}`].map((text) => toBase64(text))];

  test.each(['PLAIN', 'LOGIN', 'CRAM-MD5'])('are sent with the %s method', async (method) => {
    const { port, received } = await startMailServer({
      authOptional: false,
      authMethods: [method],
      onAuth(login, _session, callback) {
        const isPasswordValid = login.password === password || login.validatePassword(password);
        const isValid = login.username === user && isPasswordValid;
        callback(isValid ? null : new Error('invalid login'), { user: login.username });
      },
    });
    expect(await createMailer(`smtp://${urlCredentials}@127.0.0.1:${port}`).send(reminderMail)).toBeNull();
    expect(received[0]?.user).toBe(user);
  });

  test('that the server rejects are redacted in the error', async () => {
    const { port } = await startMailServer({
      authMethods: ['PLAIN'],
      onAuth(login, _session, callback) {
        callback(new Error(`no user ${login.username} with ${login.password}`));
      },
    });
    const reason = await createMailer(`smtp://${urlCredentials}@127.0.0.1:${port}`).send(reminderMail);
    expect(reason).toMatch(/^Invalid login: 535 .*no user \*\*\* with \*\*\*/);
  });

  test.each([
    ['AUTH', '535'],
    ['MAIL', '550'],
    ['RCPT', '550'],
    ['AUTH', '421'],
  ])('are redacted if the server repeats them in its response to %s, with the code %s', async (verb, code) => {
    const port = await startRawServer((socket) => {
      socket.write('220 here\r\n');
      socket.on('data', (data) => {
        const command = data.toString('latin1');
        if (command.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n');
        else if (command.startsWith(verb)) socket.end(`${code} not ${secrets.join(' nor ')}\r\n`);
        else if (command.startsWith('AUTH')) socket.write('235 ok\r\n');
        else socket.write('250 ok\r\n');
      });
    });
    const reason = await createMailer(`smtp://${urlCredentials}@127.0.0.1:${port}`).send(reminderMail);
    expect(reason).toContain(`${code} not ***`);
    for (const secret of secrets) expect(reason).not.toContain(secret);
  });

  test('are not in the error if the server is down', async () => {
    const reason = await createMailer(`smtp://${urlCredentials}@127.0.0.1:${closedPort}`).send(reminderMail);
    expect(reason).toContain('ECONNREFUSED');
    for (const secret of [urlCredentials, ...secrets]) expect(reason).not.toContain(secret);
  });
});

describe('the mailer reports an error in one line for', () => {
  test('a rejected recipient', async () => {
    const { port, received } = await startMailServer({
      onRcptTo({ address }, _session, callback) {
        callback(Object.assign(new Error(`no mailbox\n${address} here`), { responseCode: 550 }));
      },
    });
    const reason = await createMailer(`smtp://127.0.0.1:${port}`).send(reminderMail);
    expect(reason).toMatch(/^[^\r\n]*550[^\r\n]*no mailbox[^\r\n]*$/);
    expect(received).toEqual([]);
  });

  test('an email that is rejected because of its content', async () => {
    const { port } = await startMailServer({
      onData(stream, _session, callback) {
        stream.resume();
        stream.on('end', () => callback(Object.assign(new Error('looks like spam'), { responseCode: 554 })));
      },
    });
    expect(await createMailer(`smtp://127.0.0.1:${port}`).send(reminderMail)).toMatch(/^.*554.*looks like spam.*$/);
  });

  test('an email without a recipient', async () => {
    const { port } = await startMailServer();
    expect(await createMailer(`smtp://127.0.0.1:${port}`).send({ ...reminderMail, to: '' })).toBe(
      'No recipients defined',
    );
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('a port without a listener (%s)', async (host) => {
    expect(await createMailer(`smtp://${host}:${closedPort}`).send(reminderMail)).toMatch(
      // Without IPv6 the connection fails with one of the other codes.
      /^.*(?:ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH).*$/,
    );
  });

  test('a nonexistent host', async () => {
    const reason = await createMailer('smtp://nowhere.invalid:25', { connectionMs: 2_000 }).send(reminderMail);
    // The resolver's error differs between systems.
    expect(reason).toMatch(/^.*\S.*$/);
  });

  test('a server that does not speak SMTP', async () => {
    const port = await startRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await createMailer(`smtp://127.0.0.1:${port}`).send(reminderMail)).toMatch(
      /^.*HTTP\/1\.1 400 Bad Request.*$/,
    );
  });

  test('a server with a very long response, cut to 300 characters', async () => {
    const port = await startRawServer((socket) => socket.end(`554 ${'no '.repeat(1_000)}\r\n`));
    const reason = await createMailer(`smtp://127.0.0.1:${port}`).send(reminderMail);
    expect(reason).toMatch(/^.*554 no no .*…$/);
    expect(reason).toHaveLength(300);
  });

  test('a server that hangs up', async () => {
    const port = await startRawServer((socket) => socket.destroy());
    expect(await createMailer(`smtp://127.0.0.1:${port}`).send(reminderMail)).toMatch(/^.*(?:closed|ECONNRESET).*$/);
  });
});

describe('a failure is permanent if the server refuses the email itself with a 5xx:', () => {
  const refusal = (responseCode: number) => Object.assign(new Error('refused'), { responseCode });
  const refuseContent = (responseCode: number): SMTPServerOptions => ({
    onData(stream, _session, callback) {
      stream.resume();
      stream.on('end', () => callback(refusal(responseCode)));
    },
  });

  test.each<[refused: string, isPermanent: boolean, options: SMTPServerOptions]>([
    ['the recipient with 550', true, { onRcptTo: (_address, _session, callback) => callback(refusal(550)) }],
    ['the recipient with 452', false, { onRcptTo: (_address, _session, callback) => callback(refusal(452)) }],
    ['the sender with 553', true, { onMailFrom: (_address, _session, callback) => callback(refusal(553)) }],
    ['the content with 554', true, refuseContent(554)],
    ['the content with 451', false, refuseContent(451)],
    // The server and the login in the URL can be corrected before the next attempt.
    [
      'the sender with 530, as it requires a login',
      false,
      { onMailFrom: (_address, _session, callback) => callback(refusal(530)) },
    ],
    ['the login with 535', false, { onAuth: (_login, _session, callback) => callback(refusal(535)) }],
    ['the connection with 554', false, { onConnect: (_session, callback) => callback(refusal(554)) }],
  ])('%s: %s', async (_refused, isPermanent, options) => {
    const { port } = await startMailServer({
      onAuth: ({ username }, _session, callback) => callback(null, { user: username }),
      ...options,
    });
    const { send, close } = createSmtpMailer(`smtp://ada:secret@127.0.0.1:${port}`);
    onTestFinished(close);
    expect(await send(reminderMail)).toEqual({ reason: expect.stringMatching(/: \d{3} /), isPermanent });
  });
});

describe('a server that', () => {
  test('never sends a greeting causes a timeout', async () => {
    const port = await startRawServer(() => {});
    expect(await createMailer(`smtp://127.0.0.1:${port}`, { greetingMs: 50 }).send(reminderMail)).toMatch(/greeting/i);
  });

  test('stops responding causes a timeout', async () => {
    const port = await startRawServer((socket) => socket.write('220 here\r\n'));
    expect(await createMailer(`smtp://127.0.0.1:${port}`, { silenceMs: 50 }).send(reminderMail)).toMatch(/timeout/i);
  });

  test('sends an endless response causes a timeout', async () => {
    const port = await startRawServer((socket) => {
      socket.write('220 here\r\n250-');
      const interval = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(interval));
    });
    const reason = await createMailer(`smtp://127.0.0.1:${port}`, { mailMs: 200, silenceMs: 100 }).send(reminderMail);
    expect(reason).toBe('the server took longer than 0.2 s to accept the email');
  });

  test('rejects a connection can still receive the next email', async () => {
    let isAccepting = false;
    const { port, received } = await startMailServer({
      onConnect: (_session, callback) => callback(isAccepting ? null : new Error('not yet')),
    });
    const { send } = createMailer(`smtp://127.0.0.1:${port}`);
    expect(await send(reminderMail)).toContain('not yet');
    isAccepting = true;
    expect(await send(reminderMail)).toBeNull();
    expect(received).toHaveLength(1);
  });
});

test('closing the mailer aborts the email in progress, and refuses later ones', async () => {
  const firstCommand = createDeferred();
  const port = await startRawServer((socket) => {
    socket.write('220 here\r\n');
    socket.once('data', () => firstCommand.resolve());
  });
  const { send, close } = createMailer(`smtp://127.0.0.1:${port}`);
  const sending = send(reminderMail);
  await firstCommand.promise;
  close();
  const closedError = 'the mailer was closed before the email was sent';
  expect(await sending).toBe(closedError);
  expect(await send(reminderMail)).toBe(closedError);
});

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
