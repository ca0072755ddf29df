import { missingResponse, type Result, type Status } from '../engine/check-clauses.js';
import type { Level } from '../engine/clause.js';
import type { Delivery } from '../engine/delivery.js';
import { curlOf, type Exchange, textOf } from '../engine/exchange.js';
import type { Redact } from './redact.js';

/** Status of a clause in a report. `waived`: a violation that a waiver accepts for now. */
export type ReportedStatus = Status | 'waived';

/** Entry of a waivers file: accepts a known violation until a date. */
export interface Waiver {
  /** Id of the violated clause. */
  readonly clause: string;
  readonly reason: string;
  /** Last day on which the waiver applies, `YYYY-MM-DD`. */
  readonly until: string;
}

/** An exchange in a report, without secrets. */
export interface Evidence {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly body: string | null;
    readonly curl: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** At most the first 4,000 characters. */
    readonly body: string;
  };
}

/** A webhook in a report, without secrets. */
export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** At most the first 4,000 characters. */
  readonly body: string;
  /** Time of arrival, ISO 8601. */
  readonly receivedAt: string;
}

/** Result of a clause in a report. */
export interface ClauseReport {
  readonly id: string;
  readonly level: Level;
  /** Operation under test; null if the clause is not about a single operation. */
  readonly operation: string | null;
  /** Requirement, in one plain sentence. */
  readonly title: string;
  /** Heading of the specification under which the requirement is stated. */
  readonly spec: string;
  /** Quote from the specification; a clause about a gap, where the specification is silent, has none. */
  readonly quote?: string;
  readonly status: ReportedStatus;
  /** Reason for the status, in one line; empty for a pass. */
  readonly detail: string;
  /** For a violation, what was expected: `status 201`. */
  readonly expected?: string;
  /** For a violation, what was observed instead: `status 500`. */
  readonly got?: string;
  /**
   * For a violation, the last driver calls before it, such as `payLink (id 21)`, since a driver that does nothing causes
   * violations, too.
   */
  readonly driverCalls?: readonly string[];
  /** The waiver that accepts the violation of a waived clause. */
  readonly waiver?: Pick<Waiver, 'until' | 'reason'>;
  /** For a skipped clause, what its check lacks, such as a driver method, an option, a record or an earlier step. */
  readonly missing?: string;
  readonly milliseconds: number;
  /**
   * Up to five exchanges. For a violation the first ones, beginning with the one that shows it; otherwise the last
   * ones.
   */
  readonly evidence: readonly Evidence[];
  readonly deliveries: readonly ReceivedWebhook[];
  /**
   * Ids of the clauses that list the rest of this clause's evidence, because an exchange or webhook that several
   * clauses share is listed only once.
   */
  readonly evidenceIn?: readonly string[];
  /**
   * True if the result may change once all earlier clauses have a final result: a skip, or a result that is based on
   * the responses to their requests. Also true for a clause of an incomplete run that a failed step has blocked. A
   * resumed run checks the clause again.
   */
  readonly provisional?: boolean;
}

/** Maximum number of exchanges, and of webhooks, of a clause in a report. */
const maxEvidence = 5;

/** Maximum number of driver calls of a clause in a report. */
const maxDriverCalls = 3;

/** Maximum number of characters of a body. */
const maxBodyCharacters = 4_000;

/** Turns the result of a clause into plain data for a report, without secrets. */
export function clauseReport(result: Result, redact: Redact): ClauseReport {
  const { clause, status, detail, expected, got, missing, milliseconds, evidence, deliveries } = result;
  const driverCalls = isViolation(status) ? result.driverCalls.slice(-maxDriverCalls) : [];
  const { id, level, operation, title, spec, quote } = clause;
  return {
    id,
    level,
    operation,
    title,
    spec,
    ...(quote === undefined ? {} : { quote }),
    status,
    detail: redact(detail),
    ...(expected === undefined ? {} : { expected: redact(expected) }),
    ...(got === undefined ? {} : { got: redact(got) }),
    ...(driverCalls.length === 0 ? {} : { driverCalls: driverCalls.map(redact) }),
    ...(missing === undefined ? {} : { missing }),
    milliseconds,
    evidence: selectEvidence(evidence, status).map((exchange) => evidenceOf(exchange, redact)),
    deliveries: selectEvidence(deliveries, status).map(webhookOf),
  };
}

/**
 * True if a result is not final, so that a resumed run must check the clause again: the driver or the suite failed, the
 * target did not respond, or the result is provisional.
 */
export function isUndecided({
  status,
  missing,
  provisional = false,
}: Pick<ClauseReport, 'status' | 'missing' | 'provisional'>): boolean {
  return provisional || status === 'broken' || (status === 'skipped' && missing === missingResponse);
}

/** Picks the evidence to keep: for a violation the first items, which show it; otherwise the last items. */
function selectEvidence<Item>(items: readonly Item[], status: ReportedStatus): readonly Item[] {
  return isViolation(status) ? items.slice(0, maxEvidence) : items.slice(-maxEvidence);
}

function isViolation(status: ReportedStatus): boolean {
  return status === 'failed' || status === 'warned';
}

/** Says which driver calls a violation came after; undefined if there were none. */
export function driverCallsText({ driverCalls }: Pick<ClauseReport, 'driverCalls'>): string | undefined {
  return driverCalls && `after the driver's ${driverCalls.join(', ')}`;
}

/** Says until when a violation is waived, and why; undefined unless it is waived. */
export function waiverText({ waiver }: Pick<ClauseReport, 'waiver'>): string | undefined {
  return waiver && `waived until ${waiver.until}: ${waiver.reason}`;
}

/**
 * Formats the evidence of a violation: two lines for the first exchange or else the first webhook, and one for the driver
 * calls before it.
 * @param maxBodyLength maximum number of characters of the body
 */
export function firstEvidenceLines(
  clause: Pick<ClauseReport, 'evidence' | 'deliveries' | 'driverCalls'>,
  maxBodyLength = maxBodyCharacters,
): readonly string[] {
  const {
    evidence: [exchange],
    deliveries: [webhook],
  } = clause;
  const driverLines = [driverCallsText(clause) ?? []].flat();
  if (exchange) {
    const { request, response } = exchange;
    return [request.curl, `${response.status} ${response.body.slice(0, maxBodyLength)}`, ...driverLines];
  }
  if (!webhook) return driverLines;
  return [`webhook ${webhook.method} ${webhook.path}`, webhook.body.slice(0, maxBodyLength), ...driverLines];
}

/** Turns an exchange into plain data for a report. Redacts the request; `Target` has already redacted the response. */
export function evidenceOf(exchange: Exchange, redact: Redact): Evidence {
  const { call, url, status, headers, text } = exchange;
  return {
    request: {
      method: call.method,
      url: redact(url),
      body: call.body === undefined ? null : redact(textOf(call.body)),
      curl: redact(curlOf(exchange)),
    },
    response: { status, headers, body: text.slice(0, maxBodyCharacters) },
  };
}

/** Turns a webhook into plain data for a report. The receiver has already redacted it. */
function webhookOf({ method, path, headers, text, receivedAt }: Delivery): ReceivedWebhook {
  return {
    method,
    path,
    headers,
    body: text.slice(0, maxBodyCharacters),
    receivedAt: new Date(receivedAt).toISOString(),
  };
}
