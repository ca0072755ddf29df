import type { OpenAPIV3_1 } from 'openapi-types';
import type { Gap } from '../../../domain/gaps.js';
import { gapRegistry } from '../../../generated/gap-registry.js';
import { memberOf } from '../../../lib/json.js';
import { resolveReference } from '../../../lib/references.js';
import type { Profile } from '../../../openapi/profile.js';
import type { LoggedRequest } from '../../../simulation/activity/request-log.js';
import { describeChoice } from '../../document/describe-choices.js';
import { apiOf, servedDocument } from '../../document/profiles.js';

/** A gap that affects a response. */
interface RelevantGap {
  readonly id: string;
  readonly question: string;
  /** The choice of the profile, in words, with its value. */
  readonly choice: string;
}

/** The explanation of a response. */
interface Explanation {
  /** The description of the response in the API document; null if it has none. */
  readonly description: string | null;
  readonly gaps: readonly RelevantGap[];
}

const gaps: ReadonlyMap<string, Gap> = new Map(Object.entries(gapRegistry));

/**
 * Explains a response: its description in the API document with the profile that the account had, and the gaps that
 * affect it, which the document lists in `x-gap`.
 * @returns undefined if no response was sent
 */
export function explainResponse({
  operation: id,
  status,
  profile,
}: Pick<LoggedRequest, 'operation' | 'status' | 'profile'>): Explanation | undefined {
  if (status === null) return undefined;
  const { operations } = apiOf(profile);
  const document = servedDocument(profile);
  const operation = operations.find((candidate) => candidate.id === id);
  const definition = operation && document.paths?.[operation.path]?.[operation.method];
  const responses = documentedResponses(document, definition ? [definition] : allOperations(document), status);
  // Gaps of an operation affect its successful responses.
  const operationGaps = status < 400 ? gapIdsOf(definition) : [];
  const relevantGaps = [...new Set([...responses.flatMap(gapIdsOf), ...operationGaps])].flatMap((gapId) =>
    relevantGap(profile, gapId),
  );
  const description = definition === undefined && isRouteError(status) ? noOperation : commonDescription(responses);
  return { description: description && withoutChoices(description, relevantGaps), gaps: relevantGaps };
}

const noOperation = 'The service has no operation with this method and path.';

/** Returns true for a status that says that there is nothing at a path, or not for this method. */
function isRouteError(status: number): boolean {
  return status === 404 || status === 405;
}

type Operation = OpenAPIV3_1.OperationObject;

function allOperations(document: OpenAPIV3_1.Document): Operation[] {
  return Object.values(document.paths ?? {}).flatMap((item) => [item?.get ?? [], item?.post ?? []].flat());
}

/** The documented responses of the operations for a status; if there are none, their default responses. */
function documentedResponses(
  { components }: OpenAPIV3_1.Document,
  operations: readonly Operation[],
  status: number,
): OpenAPIV3_1.ResponseObject[] {
  const responsesFor = (code: string): OpenAPIV3_1.ResponseObject[] =>
    operations.flatMap(({ responses }) => {
      const response = responses?.[code];
      return response === undefined ? [] : [resolveReference(components?.responses, response)];
    });
  const found = responsesFor(String(status));
  return found.length > 0 ? found : responsesFor('default');
}

/** The description that all of the responses have; null if their descriptions differ. */
function commonDescription(responses: readonly OpenAPIV3_1.ResponseObject[]): string | null {
  const [description = null, ...others] = new Set(responses.map((response) => response.description));
  return others.length === 0 ? description : null;
}

/** Removes the choices that the document of a profile adds to a description, since the gaps list them. */
function withoutChoices(description: string, gaps: readonly RelevantGap[]): string {
  return gaps.reduce((text, { question, choice }) => text.replace(` ${question} ${choice}`, ''), description);
}

/** The ids of the gaps that affect a part of the document. */
function gapIdsOf(documentPart: object | undefined): string[] {
  const ids = memberOf(documentPart, 'x-gap');
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** The gap and the profile's choice for it; empty if the id is unknown. */
function relevantGap(profile: Profile, id: string): RelevantGap[] {
  const gap = gaps.get(id);
  if (!gap) return [];
  return [{ id, question: gap.question, choice: describeChoice(gap, memberOf(profile, id)) }];
}
