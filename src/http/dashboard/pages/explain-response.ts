import type { OpenAPIV3_1 } from 'openapi-types';
import { parseChoice } from '../../../domain/choices.js';
import type { Gap } from '../../../domain/gaps.js';
import { gapRegistry } from '../../../generated/gap-registry.js';
import { memberOf } from '../../../lib/json.js';
import { resolveReference } from '../../../lib/references.js';
import type { Account } from '../../../simulation/account.js';
import type { LoggedRequest } from '../../../simulation/activity/request-log.js';
import { apiOf, servedDocument } from '../../document/profiles.js';

/** A gap that affects a response. */
interface RelevantGap {
  readonly id: string;
  readonly question: string;
  /** The choice of the account, in words. */
  readonly choice: string;
}

/** The explanation of a response. */
export interface Explanation {
  /** The description of the response in the API document; null if it has none. */
  readonly description: string | null;
  readonly gaps: readonly RelevantGap[];
}

type Response = OpenAPIV3_1.ResponseObject;
type Responses = Readonly<Record<string, Response | OpenAPIV3_1.ReferenceObject>>;

const gaps: ReadonlyMap<string, Gap> = new Map(Object.entries(gapRegistry));

/**
 * Explains a response: its description in the API document with the account's profile, and the gaps that affect it,
 * which the document lists in `x-gap`.
 * @returns undefined if no response was sent
 */
export function explainResponse(
  account: Account,
  { operation: id, status }: Pick<LoggedRequest, 'operation' | 'status'>,
): Explanation | undefined {
  if (status === null) return undefined;
  const { operations } = apiOf(account.profile);
  const document = servedDocument(account.profile);
  const operation = operations.find((candidate) => candidate.id === id);
  const definition = operation && document.paths?.[operation.path]?.[operation.method];
  // For an unknown operation, the response of any operation with this status is described.
  const responses: Responses = definition?.responses ?? Object.assign({}, ...allResponses(document));
  const documented = responses[String(status)] ?? responses['default'];
  const response = documented && resolveReference(document.components?.responses, documented);
  // Gaps of an operation affect its successful responses.
  const operationGaps = status < 400 ? gapIdsOf(definition) : [];
  return {
    description: response?.description ?? null,
    gaps: [...new Set([...gapIdsOf(response), ...operationGaps])].flatMap((gapId) => relevantGap(account, gapId)),
  };
}

/** The responses of each operation, keyed by their status. */
function allResponses(document: OpenAPIV3_1.Document): Responses[] {
  return Object.values(document.paths ?? {}).flatMap((item) => [
    item?.get?.responses ?? {},
    item?.post?.responses ?? {},
  ]);
}

/** The ids of the gaps that affect a part of the document. */
function gapIdsOf(documentPart: object | undefined): string[] {
  const ids = memberOf(documentPart, 'x-gap');
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** The gap and the account's choice for it; empty if the id is unknown. */
function relevantGap(account: Account, id: string): RelevantGap[] {
  const gap = gaps.get(id);
  if (!gap) return [];
  const { name } = parseChoice(account.record.profile[id] ?? gap.default);
  const description = gap.choices[name]?.description ?? name;
  return [{ id, question: gap.question, choice: description }];
}
