import type { OpenAPIV3_1 } from 'openapi-types';
import { choicesOf, parseChoice } from '../../../domain/choices.js';
import type { Gap } from '../../../domain/gaps.js';
import { gapRegistry } from '../../../generated/gap-registry.js';
import { memberOf } from '../../../lib/member-of.js';
import { resolveReference } from '../../../lib/references.js';
import type { Account } from '../../../simulation/account.js';
import type { LoggedRequest } from '../../../simulation/activity/request-log.js';
import { apiOf, servedDocument } from '../../document/profiles.js';
import type { Explanation, RelevantGap } from '../requests/view.js';

type Response = OpenAPIV3_1.ResponseObject;
type Responses = Readonly<Record<string, Response | OpenAPIV3_1.ReferenceObject>>;

const gaps: ReadonlyMap<string, Gap> = new Map(Object.entries(gapRegistry));

/** The description of a response in the document of the account's profile, and the gaps that affect it (`x-gap`). */
export function explain(
  account: Account,
  { operation: id, status }: Pick<LoggedRequest, 'operation' | 'status'>,
): Explanation {
  if (status === null) return { description: null, gaps: [] };
  const { operations } = apiOf(account.profile);
  const document = servedDocument(account.profile);
  const operation = operations.find((one) => one.id === id);
  const definition = operation && document.paths?.[operation.path]?.[operation.method];
  // Unknown operations get the error responses that all operations share.
  const responses: Responses = definition?.responses ?? Object.assign({}, ...allResponses(document));
  const listed = responses[String(status)] ?? responses['default'];
  const response = listed && resolveReference(document.components?.responses, listed);
  const own = status < 400 ? gapsOf(definition) : [];
  return {
    description: response?.description ?? null,
    gaps: [...new Set([...gapsOf(response), ...own])].flatMap((gap) => relevantGap(account, gap)),
  };
}

function allResponses(document: OpenAPIV3_1.Document): Responses[] {
  return Object.values(document.paths ?? {}).flatMap((item) => [
    item?.get?.responses ?? {},
    item?.post?.responses ?? {},
  ]);
}

function gapsOf(part: object | undefined): string[] {
  const ids = memberOf(part, 'x-gap');
  return Array.isArray(ids) ? ids.map(String) : [];
}

function relevantGap(account: Account, id: string): RelevantGap[] {
  const gap = gaps.get(id);
  if (!gap) return [];
  const { name } = parseChoice(gap, account.record.profile[id]);
  const description = choicesOf(gap).find((choice) => choice.name === name)?.description ?? name;
  return [{ id, question: gap.question, choice: description }];
}
