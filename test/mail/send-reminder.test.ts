import { expect, onTestFinished, test } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/index.js';
import { freePort } from '../support/free-port.js';
import { tempFolder } from '../support/temp-folder.js';
import { startMailServer } from './mail-server.js';

async function openSimulator(options: Pick<SimulatorOptions, 'smtp' | 'data'> = {}): Promise<Simulator> {
  const simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', ...options });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** Ids of invoices in the demo data, which has no invoice 99. */
const unpaidInvoiceId = 4;
const paidInvoiceId = 5;
const unknownInvoiceId = 99;

/** Requests a reminder for an invoice. @returns the HTTP status */
async function sendReminder({ baseUrl }: Simulator, invoiceId = unpaidInvoiceId): Promise<number> {
  const init = { method: 'POST', headers: { Authorization: 'Bearer demo_full' } };
  return (await fetch(`${baseUrl}/invoices/${invoiceId}/reminder`, init)).status;
}

test('without an SMTP server a reminder is stored but not sent', async () => {
  const simulator = await openSimulator();
  expect(await sendReminder(simulator)).toBe(200);
  expect(await simulator.account.mails.all()).toMatchObject([
    { invoice_id: unpaidInvoiceId, attempts: [], next_attempt_at: null },
  ]);
});

test('a refused reminder creates no email', async () => {
  const simulator = await openSimulator();
  expect(await sendReminder(simulator, paidInvoiceId)).toBe(400);
  expect(await sendReminder(simulator, unknownInvoiceId)).toBe(404);
  expect(await simulator.account.mails.all()).toEqual([]);
});

test('a reminder is sent with the date of the account and the payment URL of the invoice', async () => {
  const { port, received } = await startMailServer();
  const simulator = await openSimulator({ smtp: `smtp://127.0.0.1:${port}` });
  expect(await sendReminder(simulator)).toBe(200);
  // An advance waits until due emails have been sent.
  await simulator.account.clock.advance('0s');
  const [mail] = await simulator.account.mails.all();
  expect(mail).toMatchObject({ attempts: [{ at: '2026-03-01T09:00:00.000Z', error: null }], next_attempt_at: null });
  expect(received).toHaveLength(1);
  expect(received[0]?.recipients).toEqual([mail?.to]);
  expect(received[0]?.parsed.date).toBe('2026-03-01T09:00:00.000Z');
  expect(received[0]?.parsed.text).toContain(`${simulator.url}/pay/inv_4`);
  expect(received[0]?.parsed.html).toContain(`${simulator.url}/pay/inv_4`);
});

test('while the SMTP server is down, requests succeed, and sending the email is attempted 8 times', async () => {
  const simulator = await openSimulator({ smtp: `smtp://127.0.0.1:${await freePort()}` });
  expect(await sendReminder(simulator)).toBe(200);
  await simulator.account.clock.advance('0s');
  expect(await simulator.account.mails.all()).toMatchObject([
    {
      attempts: [{ at: '2026-03-01T09:00:00.000Z', error: expect.stringMatching(/ECONNREFUSED/) }],
      next_attempt_at: '2026-03-01T09:00:05.000Z',
    },
  ]);
  expect(await simulator.account.agenda()).toContainEqual({
    at: '2026-03-01T09:00:05.000Z',
    kind: 'mail-attempt',
    id: 1,
  });
  await simulator.account.clock.advance('4d');
  const [mail] = await simulator.account.mails.all();
  expect(mail?.attempts).toHaveLength(8);
  expect(mail?.next_attempt_at).toBeNull();
});

test('an email that waits for a retry is only stored after a restart without an SMTP server, and is sent after a restart with one', async () => {
  const folder = tempFolder();
  const failing = await openSimulator({ smtp: `smtp://127.0.0.1:${await freePort()}`, data: folder });
  await sendReminder(failing);
  await failing.account.clock.advance('0s');
  expect(await failing.account.mails.all()).toMatchObject([{ status: 'retrying' }]);
  await failing.close();

  const withoutSmtp = await openSimulator({ data: folder });
  expect(await withoutSmtp.account.mails.all()).toMatchObject([{ status: 'stored', next_attempt_at: null }]);
  expect((await withoutSmtp.account.agenda()).map(({ kind }) => kind)).not.toContain('mail-attempt');
  await withoutSmtp.close();

  const { port, received } = await startMailServer();
  const withSmtp = await openSimulator({ smtp: `smtp://127.0.0.1:${port}`, data: folder });
  await withSmtp.account.clock.advance('5s');
  expect(await withSmtp.account.mails.all()).toMatchObject([{ status: 'sent' }]);
  expect(received).toHaveLength(1);
});

test('an email is retried until the SMTP server accepts it, and is sent once', async () => {
  let isAccepting = false;
  const { port, received } = await startMailServer({
    onConnect: (_session, callback) => callback(isAccepting ? null : new Error('not yet')),
  });
  const simulator = await openSimulator({ smtp: `smtp://127.0.0.1:${port}` });
  await sendReminder(simulator);
  await simulator.account.clock.advance('1m');
  expect(received).toEqual([]);
  isAccepting = true;
  await simulator.account.clock.advance('1d');
  expect(received).toHaveLength(1);
});

test('an email to a mailbox that does not exist fails at the first attempt', async () => {
  const { port } = await startMailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
  });
  const simulator = await openSimulator({ smtp: `smtp://127.0.0.1:${port}` });
  await sendReminder(simulator);
  await simulator.account.clock.advance('4d');
  expect(await simulator.account.mails.all()).toMatchObject([
    { attempts: [{ error: expect.stringContaining('550 no such mailbox') }], next_attempt_at: null },
  ]);
});
