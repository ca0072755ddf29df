import { instant } from '../../domain/dates.js';
import type { Mail } from '../../domain/records.js';
import type { Run } from '../../domain/scenario.js';
import type { components } from '../../generated/control-validated-types.js';
import type { LoggedRequest } from '../../simulation/coverage/request-log.js';
import { mailStatus } from '../../simulation/delivery/mails.js';

/** Builds a mail for the control API and the library. */
export function mailView(mail: Mail): components['schemas']['Mail'] {
  const { next_at, ...rest } = mail;
  return { ...rest, next_attempt_at: next_at, status: mailStatus(mail) };
}

/** Builds the list item of a mail. */
export function mailSummary(mail: Mail): components['schemas']['MailSummary'] {
  const { text: _text, html: _html, attempts, ...head } = mailView(mail);
  return { ...head, attempts: attempts.length };
}

/** Builds a run for the control API and the library. */
export function runView({ steps, depth: _depth, ...run }: Run): components['schemas']['Run'] {
  return { ...run, steps: steps.length };
}

/** Builds a logged request for the control API. */
export function requestView(request: LoggedRequest): components['schemas']['LoggedRequest'] {
  return { ...request, at: instant(request.at) };
}
