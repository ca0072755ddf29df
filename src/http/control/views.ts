import { instant } from '../../domain/dates.js';
import type { Mail } from '../../domain/records.js';
import type { Run } from '../../domain/scenario.js';
import type { components } from '../../generated/control-validated-types.js';
import type { LoggedRequest } from '../../simulation/coverage/request-log.js';
import { mailStatus } from '../../simulation/delivery/mails.js';

/** Gives a mail as the control API and the library hand it out. */
export function mailView(mail: Mail): components['schemas']['Mail'] {
  const { next_at, ...rest } = mail;
  return { ...rest, next_attempt_at: next_at, status: mailStatus(mail) };
}

/** Gives a mail as it stands in a list. */
export function mailSummary(mail: Mail): components['schemas']['MailSummary'] {
  const { text: _text, html: _html, attempts, ...head } = mailView(mail);
  return { ...head, attempts: attempts.length };
}

/** Gives a run as the control API and the library hand it out. */
export function runView({ steps, depth: _depth, ...run }: Run): components['schemas']['Run'] {
  return { ...run, steps: steps.length };
}

/** Gives a request as it stands in the log. */
export function requestView(request: LoggedRequest): components['schemas']['LoggedRequest'] {
  return { ...request, at: instant(request.at) };
}
