import { formatInstant } from '../../domain/dates.js';
import type { Mail } from '../../domain/records.js';
import type { Run } from '../../domain/scenario.js';
import type { components } from '../../generated/control-validated-types.js';
import { isRecord, parseJson } from '../../lib/json.js';
import { type Chain, type ChainEntry, correlationOf, isCause } from '../../simulation/activity/chains.js';
import type { LoggedRequest } from '../../simulation/activity/request-log.js';
import { mailStatus } from '../../simulation/delivery/mails.js';
import type { AccountState } from '../../simulation/state/account-state.js';
import { mailDueAt } from '../../simulation/state/apply-changes.js';

type ServiceRecord = components['schemas']['ServiceRecord'];

/** Parses the JSON of a record, as the service returns it. */
export function parseServiceRecord(text: string): ServiceRecord {
  const record = parseJson(text);
  if (!isServiceRecord(record)) throw new Error('the text is not the JSON of a record');
  return record;
}

function isServiceRecord(value: unknown): value is ServiceRecord {
  if (!isRecord(value)) return false;
  const { id, status } = value;
  return (typeof id === 'number' || typeof id === 'string') && (status === undefined || typeof status === 'string');
}

/** Converts an email to its form in the control API and the library. */
export function mailView(account: AccountState, mail: Mail): components['schemas']['Mail'] {
  return { ...mail, next_attempt_at: mailDueAt(account, mail), status: mailStatus(account, mail) };
}

/** Converts an email to its summary in lists. */
export function mailSummary(account: AccountState, mail: Mail): components['schemas']['MailSummary'] {
  const { text: _text, html: _html, attempts, ...head } = mailView(account, mail);
  return { ...head, attempts: attempts.length };
}

/** Converts a run of a scenario to its form in the control API and the library. */
export function runView({ steps, depth: _depth, ...run }: Run): components['schemas']['Run'] {
  return { ...run, steps: steps.length };
}

/** Converts a logged request to its form in the control API. */
export function requestView(request: LoggedRequest): components['schemas']['LoggedRequest'] {
  const { sequence: _sequence, recorded: _recorded, errorDetails: _details, profile: _profile, at, ...rest } = request;
  return { ...rest, at: formatInstant(at) };
}

/** Converts a chain, which is a cause with its consequences, to its form in the control API and the library. */
export function chainView({ correlation, entries }: Chain): components['schemas']['ActivityChain'] {
  const [first] = entries;
  return {
    correlation_id: correlation,
    at: activityView(first).at,
    // If the log has dropped the cause, the chain begins with a consequence.
    is_complete: isCause(first),
    entries: entries.map(activityView),
  };
}

/** Converts an entry of a chain to its form in the control API and the library. */
export function activityView(entry: ChainEntry): components['schemas']['Activity'] {
  const common = { sequence: entry.sequence, correlation_id: correlationOf(entry) };
  if ('request' in entry) {
    return { ...common, kind: 'request', at: formatInstant(entry.request.at), request: requestView(entry.request) };
  }
  return { ...common, ...entry.detail };
}
