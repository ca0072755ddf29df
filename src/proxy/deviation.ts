/** A difference between an exchange (a request with its response) and the OpenAPI document. */
export interface Finding {
  /** The message that differs. */
  readonly side: 'request' | 'response';
  /** Part of the message that differs. */
  readonly part: Part;
  /**
   * Place within the part: name of a header or parameter, or path of a field, such as `data.data.*.amount`; empty for
   * the part as a whole.
   */
  readonly at: string;
  /** Violated rule: a JSON Schema keyword, or a rule of the proxy, such as `missing`. */
  readonly rule: string;
  /** Message without values from the client or the service, which may be secrets. */
  readonly message: string;
  /** Ids of the gaps (questions that the specification leaves open) that permit the difference. */
  readonly gaps: readonly string[];
}

/** Part of a request or response. `route`: method and path. */
export type Part = 'route' | 'token' | 'scope' | 'path' | 'query' | 'header' | 'media-type' | 'body' | 'status';

/** A finding with its severity, and the exchange that it is about. */
export interface Deviation extends Finding {
  /** `error`: the exchange violates a documented statement. `note`: it does not, but the user may want to know. */
  readonly severity: 'error' | 'note';
  /** For example `GET /invoices/{invoice}`. */
  readonly operation: string;
  /** Status of the response. */
  readonly status: number;
}

/** A finding without its side. By default it is about the part as a whole, and no gap permits it. */
interface FindingFields extends Pick<Finding, 'part' | 'rule' | 'message'> {
  readonly at?: string | undefined;
  readonly gaps?: readonly string[] | undefined;
}

/** Returns a function that creates findings on one side of an exchange. */
export function findingOn(side: Finding['side']): (fields: FindingFields) => Finding {
  return ({ part, at = '', rule, message, gaps = [] }) => ({ side, part, at, rule, message, gaps });
}

/** Returns true for a status from 400 to 499, with which a service refuses a request. */
function isClientError(status: number): boolean {
  return status >= 400 && status <= 499;
}

/**
 * If a service rightly refuses a request with a status from 400 to 499, drops the findings about the request, and the
 * one about an undocumented status. A service may refuse a request that is invalid or has an undocumented parameter.
 * Findings with the rule `unread` are kept, since a request whose body the proxy could not read may be valid.
 */
export function withoutFindingsOfRefusedRequest(findings: readonly Finding[], status: number): readonly Finding[] {
  const isInvalid = findings.some(({ side, rule }) => side === 'request' && rule !== 'unread');
  if (!isInvalid || !isClientError(status)) return findings;
  return findings.filter(({ side, part, rule }) => (side === 'request' ? rule === 'unread' : part !== 'status'));
}

/** Rules about something that the user may want to know, although it violates nothing. */
const harmlessRules: readonly string[] = ['unread', 'unknown-parameter', 'unlisted-error'];

/** Returns the severity of a finding: a note if a gap permits it, or if it violates nothing. */
export function severityOf({ gaps, rule }: Finding): Deviation['severity'] {
  return gaps.length > 0 || harmlessRules.includes(rule) ? 'note' : 'error';
}
