import type { Mail } from '../domain/records.js';
import { oneLine } from './one-line.js';
import { type Reminder, reminderContent } from './reminder-content.js';
import { reminderHtml } from './reminder-html.js';
import { reminderText } from './reminder-text.js';

/**
 * Renders the reminder of an unpaid invoice (specification, POST /invoices/{invoice}/reminder). `to` and `subject` are
 * one line each; `html` is a complete document that loads no other files.
 */
export function renderReminder(reminder: Reminder): Pick<Mail, 'to' | 'subject' | 'text' | 'html'> {
  const content = reminderContent(reminder);
  return {
    to: oneLine(reminder.customer.email),
    subject: content.subject,
    text: reminderText(content),
    html: reminderHtml(content),
  };
}
