import { type ClauseReport, type Evidence, isUndecided, type ReceivedWebhook } from './clause-report.js';

/** Limits for the evidence of clauses that nobody needs to investigate, such as those that passed. */
const maxShortenedEvidence = 2;
const maxShortenedBodyCharacters = 1_000;

/**
 * If several clauses share an exchange or webhook, keeps it under only one of them, its holder, so that a report stays
 * small. The other clauses refer to the holder in `evidenceIn`. Of the clauses that share it, the holder is the first
 * with a final result that needs all its evidence; if there is none, the first with a final result; if there is none
 * either, the first. Clauses without a final result come last because a resumed run replaces them, with their evidence.
 * A clause that needs all its evidence always keeps its first exchange and its first webhook, which show the problem.
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

/**
 * True if someone needs to investigate the result: a violation, even if it is waived or only a warning, or a check that
 * did not work.
 */
function needsAllEvidence({ status }: ClauseReport): boolean {
  return status !== 'passed' && status !== 'skipped' && status !== 'observed';
}

/**
 * Removes the evidence that another clause holds, and names that clause in `evidenceIn`.
 * @param holders ids of the holders by evidence (as JSON); this clause is added for evidence without a holder
 */
function keepUnshared(clause: ClauseReport, holders: Map<string, string>): ClauseReport {
  // A clause from a resumed report may refer to holders already.
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
  return { ...message, headers: keepRelevantHeaders(headers), body: body.slice(0, maxShortenedBodyCharacters) };
}

/**
 * Matches the headers that matter for clauses, and `X-Request-Id`, which helps to find a request in a target's logs.
 */
const relevantHeaders =
  /^(?:content-type|location|retry-after|www-authenticate|x-request-id|x-ratelimit-.+|x-service-.+)$/;

/** Picks the headers that matter for clauses, and the request id. */
function keepRelevantHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => relevantHeaders.test(name)));
}
