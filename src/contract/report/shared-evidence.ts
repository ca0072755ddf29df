import { type ClauseReport, type Evidence, isUndecided, type ReceivedWebhook } from './clause-report.js';
import { onlySpecified } from './specified-headers.js';

/** Items of evidence kept for a clause without problems; others keep all. */
const maxEvidenceOfFine = 2;
const maxBodyCharactersOfFine = 1_000;

/**
 * Keeps exchanges and webhooks that several clauses share only once, so that a report stays small: with the first
 * violated clause, otherwise with the first clause; with an undecided one, which a resumed run replaces, only if no
 * other has them. The other clauses refer to it in `evidenceIn`. Evidence of a violation always stays with its clause,
 * too.
 */
export function shareEvidence(clauses: readonly ClauseReport[]): ClauseReport[] {
  const holders = new Map<string, string>();
  const shared = new Map<ClauseReport, ClauseReport>();
  const decided = clauses.filter((clause) => !isUndecided(clause));
  const inOrder = [
    ...decided.filter((clause) => !isFine(clause)),
    ...decided.filter(isFine),
    ...clauses.filter(isUndecided),
  ];
  for (const clause of inOrder) {
    shared.set(clause, keepUnshared(clause, holders));
  }
  return clauses.map((clause) => shared.get(clause) ?? clause);
}

function isFine({ status }: ClauseReport): boolean {
  return status === 'passed' || status === 'skipped' || status === 'observed';
}

/** @param holders clause ids by piece of evidence; extended */
function keepUnshared(clause: ClauseReport, holders: Map<string, string>): ClauseReport {
  // A resumed report has shared evidence already.
  const elsewhere = new Set<string>(clause.evidenceIn);
  const unshared = <Item>(items: readonly Item[]): Item[] =>
    items.filter((item, index) => {
      const key = JSON.stringify(item);
      const holder = holders.get(key) ?? clause.id;
      if (holder === clause.id) holders.set(key, clause.id);
      if (holder === clause.id || (index === 0 && !isFine(clause))) return true;
      elsewhere.add(holder);
      return false;
    });
  const { evidence, deliveries } = clause;
  const shortenedClause = isFine(clause)
    ? {
        evidence: unshared(evidence.slice(-maxEvidenceOfFine)).map(shortenExchange),
        deliveries: unshared(deliveries.slice(-maxEvidenceOfFine)).map(shorten),
      }
    : { evidence: unshared(evidence), deliveries: unshared(deliveries) };
  return { ...clause, ...shortenedClause, ...(elsewhere.size === 0 ? {} : { evidenceIn: [...elsewhere] }) };
}

function shortenExchange({ request, response }: Evidence): Evidence {
  return { request, response: shorten(response) };
}

function shorten<Message extends Evidence['response'] | ReceivedWebhook>(message: Message): Message {
  const { headers, body } = message;
  return { ...message, headers: onlySpecified(headers), body: body.slice(0, maxBodyCharactersOfFine) };
}
