/** Something in an exchange that is not as the document says. */
export interface Finding {
  readonly side: 'request' | 'answer';
  readonly part: Part;
  /** Within the part: the name of a header or parameter, or the way to a field, such as `data.data.*.amount`. */
  readonly at: string;
  /** A JSON Schema keyword, or a rule of our own. */
  readonly rule: string;
  /** In words, without values that a client or the service sent: they may be secrets. */
  readonly message: string;
  /** The gaps that leave it open. */
  readonly gaps: readonly string[];
}

export type Part = 'route' | 'token' | 'scope' | 'path' | 'query' | 'header' | 'media-type' | 'body' | 'status';

/** A finding with what it counts for. */
export interface Departure extends Finding {
  /** A note breaks no documented statement, or only the client did and was refused for it. */
  readonly severity: 'error' | 'note';
  /** Such as `GET /invoices/{invoice}`. */
  readonly operation: string;
  /** Of the answer. */
  readonly status: number;
}

/** Makes the findings of one side. */
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

/** Whether what was asked is what came to be: an answer of 400 to 499 says that it did not. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499;
}

/** What a finding counts for. A request that is not as documented is nobody's fault but the client's once it is refused. */
export function weigh(finding: Finding, status: number): Departure['severity'] {
  const isOpen = finding.gaps.length > 0 || finding.rule === 'unread' || finding.rule === 'unknown-parameter';
  return isOpen || (finding.side === 'request' && isRefusal(status)) ? 'note' : 'error';
}
