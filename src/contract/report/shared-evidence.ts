import { type ClauseReport, type Evidence, isUndecided, type ReceivedWebhook } from './clause-report.js';

/** Limits for the evidence of clauses that nobody needs to investigate, such as those that passed. */
const maxItemsWhenShortened = 2;
const maxShortenedBodyCharacters = 1_000;

/**
 * If several clauses share an exchange or webhook, keeps it under only one of them, its holder, so that a report stays
 * small. The other clauses refer to the holder in `evidenceIn`. The holder is the first decided clause that needs all its
 * evidence; if there is none, the first decided clause; if there is none either, the first undecided clause. Undecided
 * clauses come last because a resumed run replaces them, with their evidence.
 *
 * A clause that needs all its evidence keeps an exchange or webhook of which the holder has only a shortened copy. It
 * also keeps the first one, since the evidence of a violation begins with the exchange or webhook that shows it.
 */
export function shareEvidence(clauses: readonly ClauseReport[]): ClauseReport[] {
  const holders: Holders = new Map();
  const results = new Map<ClauseReport, ClauseReport>();
  const decided = clauses.filter((clause) => !isUndecided(clause));
  const inOrder = [
    ...decided.filter(needsAllEvidence),
    ...decided.filter((clause) => !needsAllEvidence(clause)),
    ...clauses.filter(isUndecided),
  ];
  for (const clause of inOrder) {
    results.set(clause, dropSharedEvidence(clause, holders));
  }
  return clauses.map((clause) => results.get(clause) ?? clause);
}

/** For each exchange and webhook (as JSON), the id of the clause that holds it, and whether that has the whole of it. */
type Holders = Map<string, { readonly id: string; readonly isComplete: boolean }>;

/**
 * True if someone needs to investigate the result: a violation, even if it is waived or only a warning, or a check that
 * did not work.
 */
function needsAllEvidence({ status }: ClauseReport): boolean {
  return status !== 'passed' && status !== 'skipped' && status !== 'observed';
}

/**
 * Removes the evidence that another clause holds, and names that clause in `evidenceIn`.
 * @param holders this clause is added for evidence without a holder
 */
function dropSharedEvidence(clause: ClauseReport, holders: Holders): ClauseReport {
  const isComplete = needsAllEvidence(clause);
  // A clause from a resumed report may refer to holders already.
  const holderIds = new Set<string>(clause.evidenceIn);
  const unshared = <Item>(items: readonly Item[]): Item[] =>
    items.filter((item, index) => {
      const key = JSON.stringify(item);
      const holder = holders.get(key);
      if (!holder) holders.set(key, { id: clause.id, isComplete });
      if (!holder || holder.id === clause.id) return true;
      if (isComplete && (index === 0 || !holder.isComplete)) return true;
      holderIds.add(holder.id);
      return false;
    });
  const { evidence, deliveries } = clause;
  const keptEvidence = isComplete
    ? { evidence: unshared(evidence), deliveries: unshared(deliveries) }
    : {
        evidence: unshared(evidence.slice(-maxItemsWhenShortened)).map(shortenExchange),
        deliveries: unshared(deliveries.slice(-maxItemsWhenShortened)).map(shorten),
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
