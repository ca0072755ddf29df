import { expect, test, vi } from 'vitest';
import { createSmtpMailer } from '../../src/mail/smtp.js';

const loaded = vi.hoisted(() => ({ times: 0 }));

vi.mock('nodemailer', (original) => {
  loaded.times += 1;
  return original();
});

test('the library is loaded with the first mail, and not before', async () => {
  const { send, close } = createSmtpMailer('smtp://127.0.0.1:1');
  expect(loaded.times).toBe(0);
  expect(
    await send({ to: 'ada@a.example', subject: 's', text: 't', html: 'h', created_at: '2026-03-01T09:00:00.000Z' }),
  ).toContain('ECONNREFUSED');
  expect(loaded.times).toBe(1);
  close();
});
