import type { Mail } from '../domain/records.js';
import { oneLine } from './one-line.js';
import { reminderHtml } from './reminder-html.js';
import { reminderText } from './reminder-text.js';
import { type Reminder, wordsOf } from './reminder-words.js';

/**
 * Renders the reminder of an unpaid invoice (specification, POST /invoices/{invoice}/reminder). `to` and `subject` are
 * one line each; `html` is a complete document that loads nothing.
 */
export function renderReminder(reminder: Reminder): Pick<Mail, 'to' | 'subject' | 'text' | 'html'> {
  const words = wordsOf(reminder);
  return {
    to: oneLine(reminder.customer.email),
    subject: words.subject,
    text: reminderText(words),
    html: reminderHtml(words),
  };
}
