import type { Mail } from '../domain/records.js';
import { oneLine } from './one-line.js';
import { reminderHtml } from './reminder-html.js';
import { reminderText } from './reminder-text.js';
import { type Reminder, reminderTexts } from './reminder-texts.js';

/**
 * Renders the reminder of an unpaid invoice (specification, POST /invoices/{invoice}/reminder). `to` and `subject` are
 * one line each; `html` is a complete document that loads no other files.
 */
export function renderReminder(reminder: Reminder): Pick<Mail, 'to' | 'subject' | 'text' | 'html'> {
  const texts = reminderTexts(reminder);
  return {
    to: oneLine(reminder.customer.email),
    subject: texts.subject,
    text: reminderText(texts),
    html: reminderHtml(texts),
  };
}
