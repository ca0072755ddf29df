import { type ClauseReport, type Evidence, isUndecided, type ReceivedWebhook } from './clause-report.js';
import { keepSpecifiedHeaders } from './specified-headers.js';

/** Limits for the evidence of the clauses that do not need all of it. */
const maxShortenedEvidence = 2;
const maxShortenedBodyCharacters = 1_000;

/**
 * If several clauses share an exchange or webhook, keeps it under only one of them, its holder, so that a report stays
 * small. The other clauses refer to the holder in `evidenceIn`. The holder is the first decided clause that
 * needs all its evidence, otherwise the first decided clause, otherwise the first clause: a resumed run replaces
 * undecided clauses and would lose their evidence. A clause that needs all its evidence always keeps its first
 * exchange, which shows the problem.
 */
export function shareEvidence(clauses: readonly ClauseReport[]): ClauseReport[] {
  const holders = new Map<string, string>();
  const shared = new Map<ClauseReport, ClauseReport>();
  const decided = clauses.filter((clause) => !isUndecided(clause));
  const inOrder = [
    ...decided.filter(needsAllEvidence),
    ...decided.filter((clause) => !needsAllEvidence(clause)),
    ...clauses.filter(isUndecided),
  ];
  for (const clause of inOrder) {
    shared.set(clause, keepUnshared(clause, holders));
  }
  return clauses.map((clause) => shared.get(clause) ?? clause);
}

/** Returns whether somebody will look into the result: a violation, even if waived or a warning, or a broken check. */
function needsAllEvidence({ status }: ClauseReport): boolean {
  return status !== 'passed' && status !== 'skipped' && status !== 'observed';
}

/**
 * Removes the evidence of which another clause is the holder.
 * @param holders clause ids by evidence; new holders are added
 */
function keepUnshared(clause: ClauseReport, holders: Map<string, string>): ClauseReport {
  // In a report that is resumed, other clauses may hold evidence already.
  const holderIds = new Set<string>(clause.evidenceIn);
  const unshared = <Item>(items: readonly Item[]): Item[] =>
    items.filter((item, index) => {
      const key = JSON.stringify(item);
      const holder = holders.get(key) ?? clause.id;
      if (holder === clause.id) holders.set(key, clause.id);
      if (holder === clause.id || (index === 0 && needsAllEvidence(clause))) return true;
      holderIds.add(holder);
      return false;
    });
  const { evidence, deliveries } = clause;
  const keptEvidence = needsAllEvidence(clause)
    ? { evidence: unshared(evidence), deliveries: unshared(deliveries) }
    : {
        evidence: unshared(evidence.slice(-maxShortenedEvidence)).map(shortenExchange),
        deliveries: unshared(deliveries.slice(-maxShortenedEvidence)).map(shorten),
      };
  return { ...clause, ...keptEvidence, ...(holderIds.size === 0 ? {} : { evidenceIn: [...holderIds] }) };
}

function shortenExchange({ request, response }: Evidence): Evidence {
  return { request, response: shorten(response) };
}

function shorten<Message extends Evidence['response'] | ReceivedWebhook>(message: Message): Message {
  const { headers, body } = message;
  return { ...message, headers: keepSpecifiedHeaders(headers), body: body.slice(0, maxShortenedBodyCharacters) };
}
