import { type ClauseReport, type Evidence, isUndecided, type ReceivedWebhook } from './clause-report.js';
import { keepSpecifiedHeaders } from './specified-headers.js';

/** Limits for the evidence of a clause without problems. Clauses with problems keep all their evidence. */
const maxEvidenceWithoutProblem = 2;
const maxBodyCharactersWithoutProblem = 1_000;

/**
 * If several clauses share an exchange or webhook, keeps it under only one of them, its holder, so that a report stays
 * small. The other clauses refer to the holder in `evidenceIn`. The holder is the first decided clause with a problem,
 * otherwise the first decided clause, otherwise the first clause: a resumed run replaces undecided clauses and would
 * lose their evidence. A clause with a problem always keeps its first exchange, which shows the problem.
 */
export function shareEvidence(clauses: readonly ClauseReport[]): ClauseReport[] {
  const holders = new Map<string, string>();
  const shared = new Map<ClauseReport, ClauseReport>();
  const decided = clauses.filter((clause) => !isUndecided(clause));
  const inOrder = [
    ...decided.filter((clause) => !isUnproblematic(clause)),
    ...decided.filter(isUnproblematic),
    ...clauses.filter(isUndecided),
  ];
  for (const clause of inOrder) {
    shared.set(clause, keepUnshared(clause, holders));
  }
  return clauses.map((clause) => shared.get(clause) ?? clause);
}

function isUnproblematic({ status }: ClauseReport): boolean {
  return status === 'passed' || status === 'skipped' || status === 'observed';
}

/**
 * Removes the evidence of which another clause is the holder.
 * @param holders clause ids by evidence; new holders are added
 */
function keepUnshared(clause: ClauseReport, holders: Map<string, string>): ClauseReport {
  // A resumed report has shared evidence already.
  const holderIds = new Set<string>(clause.evidenceIn);
  const unshared = <Item>(items: readonly Item[]): Item[] =>
    items.filter((item, index) => {
      const key = JSON.stringify(item);
      const holder = holders.get(key) ?? clause.id;
      if (holder === clause.id) holders.set(key, clause.id);
      if (holder === clause.id || (index === 0 && !isUnproblematic(clause))) return true;
      holderIds.add(holder);
      return false;
    });
  const { evidence, deliveries } = clause;
  const shortenedClause = isUnproblematic(clause)
    ? {
        evidence: unshared(evidence.slice(-maxEvidenceWithoutProblem)).map(shortenExchange),
        deliveries: unshared(deliveries.slice(-maxEvidenceWithoutProblem)).map(shorten),
      }
    : { evidence: unshared(evidence), deliveries: unshared(deliveries) };
  return { ...clause, ...shortenedClause, ...(holderIds.size === 0 ? {} : { evidenceIn: [...holderIds] }) };
}

function shortenExchange({ request, response }: Evidence): Evidence {
  return { request, response: shorten(response) };
}

function shorten<Message extends Evidence['response'] | ReceivedWebhook>(message: Message): Message {
  const { headers, body } = message;
  return { ...message, headers: keepSpecifiedHeaders(headers), body: body.slice(0, maxBodyCharactersWithoutProblem) };
}
