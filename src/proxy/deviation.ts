/** A difference between an exchange and the document. */
export interface Finding {
  /** The message that differs; `answer` is the response. */
  readonly side: 'request' | 'answer';
  readonly part: Part;
  /** Place within the part: name of a header or parameter, or path of a field, such as `data.data.*.amount`. */
  readonly at: string;
  /** A JSON Schema keyword, or a rule of the proxy, such as `missing`. */
  readonly rule: string;
  /** Message without values from the client or the service, which may be secrets. */
  readonly message: string;
  /** Gaps that permit the difference. */
  readonly gaps: readonly string[];
}

export type Part = 'route' | 'token' | 'scope' | 'path' | 'query' | 'header' | 'media-type' | 'body' | 'status';

/** A finding with its severity. */
export interface Deviation extends Finding {
  /** A note violates no documented statement. */
  readonly severity: 'error' | 'note';
  /** For example `GET /invoices/{invoice}`. */
  readonly operation: string;
  /** Status of the response. */
  readonly status: number;
}

/** Creates findings for one side of an exchange. */
export function findingOn(side: Finding['side']) {
  return (part: Part, at: string, rule: string, message: string, gaps: readonly string[] = []): Finding => ({
    side,
    part,
    at,
    rule,
    message,
    gaps,
  });
}

/** Returns true for a status from 400 to 499, with which a service refuses a request. */
export function isClientError(status: number): boolean {
  return status >= 400 && status <= 499;
}

/**
 * Drops findings about an invalid request that was correctly refused, with any status from 400 to 499. A request with
 * an unreadable body is not known to be invalid.
 */
export function withoutExpectedRefusals(findings: readonly Finding[], status: number): readonly Finding[] {
  const isInvalid = findings.some(({ side, rule }) => side === 'request' && rule !== 'unread');
  if (!isInvalid || !isClientError(status)) return findings;
  return findings.filter(({ side, part, rule }) => (side === 'request' ? rule === 'unread' : part !== 'status'));
}

/** The severity of a finding. */
export function severityOf({ gaps, rule }: Finding): Deviation['severity'] {
  return gaps.length > 0 || rule === 'unread' || rule === 'unknown-parameter' ? 'note' : 'error';
}
