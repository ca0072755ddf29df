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
export interface Deviation extends Finding {
  /** A note breaks no documented statement. */
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

/**
 * The findings without those that say no more than that an invalid request was refused, as it should be. With which status is open.
 * A request whose body could not be read is not known to be invalid.
 */
export function withoutRefused(findings: readonly Finding[], status: number): readonly Finding[] {
  const isInvalid = findings.some(({ side, rule }) => side === 'request' && rule !== 'unread');
  if (!isInvalid || !isRefusal(status)) return findings;
  return findings.filter(({ side, part, rule }) => (side === 'request' ? rule === 'unread' : part !== 'status'));
}

/** The severity of a finding. */
export function weigh({ gaps, rule }: Finding): Deviation['severity'] {
  return gaps.length > 0 || rule === 'unread' || rule === 'unknown-parameter' ? 'note' : 'error';
}
