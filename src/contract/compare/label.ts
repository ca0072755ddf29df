import { gapRegistry } from '../../generated/gap-registry.js';
import { isRecord } from '../../lib/json.js';
import type { Exchange } from '../engine/exchange.js';
import { decimalOf, valueAt } from '../engine/expect.js';
import { operations } from '../engine/operations.js';
import { type ClauseViolation, isExplainedBy } from './clause-violations.js';
import { typeOf } from './differences.js';
import {
  type DocumentedPart,
  documentedErrorField,
  documentedField,
  documentedHeader,
  documentedStatus,
} from './documented-part.js';
import { answeredOperation } from './exchanges.js';
import type { Group } from './groups.js';
import type { Noise } from './noise.js';
import { type Side, sides } from './pairs.js';

/**
 * Explanation of a difference. `violation`: at the place of the difference, at least one target fails a clause (a
 * warning is not enough), has a value of a wrong type (see `wrongTypes`), or has a server error. `gap`: the
 * specification does not define the value. `noise`: the value may differ between any two runs.
 */
export type Label = 'violation' | 'gap' | 'noise';

/** Label of a group of differences, and the reasons for it. */
export interface GroupLabel {
  readonly label: Label;
  /** Clauses that are violated at the place. */
  readonly violations: readonly ClauseViolation[];
  /** Gaps that concern the place; at least one of them may explain the difference. Empty if no such gap is known. */
  readonly gaps: readonly string[];
  readonly noise?: Noise;
  /**
   * Targets with an array or object where the document allows only other types, or with another type where it allows
   * only arrays or objects. Undefined if a clause or a gap explains the difference.
   */
  readonly wrongTypes?: readonly Side[];
  /** Targets whose status is 500 or more, which no gap allows. Undefined if a clause explains the difference. */
  readonly serverErrors?: readonly Side[];
  /** True if the OpenAPI document does not name the field, and no clause or gap explains the difference. */
  readonly isUndocumented?: boolean;
}

/** Findings of the two runs, which help to explain differences between their exchanges. */
export interface Findings {
  readonly violations: readonly ClauseViolation[];
  /** Gaps for which the two targets were observed to make different choices. */
  readonly differingGaps: ReadonlySet<string>;
  /** Those of `differingGaps` for which the gap registry lists both choices. */
  readonly listedDifferingGaps: ReadonlySet<string>;
  /** Gaps for which both targets were observed to make the same choice. */
  readonly agreeingGaps: ReadonlySet<string>;
  /** Gaps by the exchanges in which their choice was observed. */
  readonly gapsByExchange: ReadonlyMap<Exchange, readonly string[]>;
}

/** Decides why the responses of a group differ. */
export function labelOf(group: Group, findings: Findings): GroupLabel {
  const { members } = group;
  const [{ noise }] = members;
  // These differ by design, whatever the clauses and gaps say.
  if (noise === 'run ids') return { label: 'noise', violations: [], gaps: [], noise };
  // A noisy value differs in any case, so a violation at its place does not explain the difference.
  const violations = noise
    ? []
    : findings.violations.filter((violation) => members.some((member) => isExplainedBy(violation, member)));
  if (violations.some(({ isFailure }) => isFailure)) return { label: 'violation', violations, gaps: [] };
  const { difference } = group;
  const serverErrors = sides.filter((side) => difference.part === 'status' && Number(difference[side]) >= 500);
  if (serverErrors.length > 0) return { label: 'violation', violations, gaps: [], serverErrors };

  const documented = documentedPartOf(group);
  const differing = closestDifferingGaps(group, documented, findings, { isNoise: noise !== undefined });
  if (differing.length > 0) return { label: 'gap', violations, gaps: differing };
  if (noise) return { label: 'noise', violations, gaps: [], noise };
  const unknown = gapsWithUnknownChoice(group, documented, findings);
  const wrongTypes = sides.filter(
    (side) => documented.types.length > 0 && !documented.types.includes(typeOf(difference[side])),
  );
  if (isAboutContainers(group) && unknown.length === 0 && wrongTypes.length > 0)
    return { label: 'violation', violations, gaps: [], wrongTypes };
  const isChoiceUnknownAtPlace = documented.ownGaps.some((id) => unknown.includes(id));
  if (differsOnlyInWording(group, documented) && !isChoiceUnknownAtPlace)
    return { label: 'noise', violations, gaps: [], noise: 'wording' };
  const isUndocumented = !documented.isDocumented && unknown.length + violations.length === 0;
  return { label: 'gap', violations, gaps: unknown, isUndocumented };
}

/** True if one target has an array or an object, and the other a value of another type that is not null. */
function isAboutContainers({ difference: { part, kind, a, b } }: Group): boolean {
  const types = [typeOf(a), typeOf(b)];
  return (
    part === 'body' &&
    kind === 'type' &&
    !types.includes('null') &&
    (types.includes('array') || types.includes('object'))
  );
}

/**
 * Finds the gaps for which the two targets were observed to make different choices. Returns only those that are closest
 * to the place of the difference.
 */
function closestDifferingGaps(
  group: Group,
  documented: DocumentedPart,
  findings: Findings,
  { isNoise }: { readonly isNoise: boolean },
): string[] {
  const { ownGaps, enclosingGaps, operationGaps, requestGaps } = documented;
  const probed = gapsProbedInAllPairs(group, findings);
  // Lists of candidates, from the most to the least specific; the first list with a match decides.
  const candidates = (): (readonly string[])[] => {
    // The values would differ in any case, so only a gap at exactly this place is a better explanation.
    if (isNoise) return [ownGaps];
    // If the statuses are of different classes, the gap is about the request; see `gapsWithUnknownChoice`.
    if (group.difference.part === 'status') {
      const others = [...operationGaps, ...requestGaps];
      // The evidence of a probe includes requests that only prepare it, so its gap may be about another request.
      const probedHere = probed.filter((id) => ownGaps.includes(id) || others.includes(id));
      return [probedHere, ...(group.statusClassesDiffer ? [] : [ownGaps]), others, probed];
    }
    const { part } = group.difference;
    if (part === 'body' && differsOnlyInWording(group, documented)) return [ownGaps, ...enclosingGaps];
    // `probed` is not used here, because a probe that observed a choice in this exchange may not be about its headers.
    if (part === 'header' && ownGaps.length > 0) return [ownGaps, ...enclosingGaps];
    return [ownGaps, ...enclosingGaps, operationGaps.filter((id) => !hasStatuses(id)), probed];
  };
  // If only the wording differs, choices outside the registry explain nothing, because every target has its own wording.
  const differing = differsOnlyInWording(group, documented) ? findings.listedDifferingGaps : findings.differingGaps;
  return firstMatches(candidates(), (id) => canCause(id, group) && differing.has(id));
}

/**
 * Of the gaps at or around the place of a difference, finds those for which the choice of at least one target is
 * unknown. If there are none, returns the gaps marked at the place itself: the targets agreed where their choices were
 * observed, but may differ in other cases.
 */
function gapsWithUnknownChoice(
  group: Group,
  { ownGaps, enclosingGaps, operationGaps, requestGaps }: DocumentedPart,
  { agreeingGaps }: Findings,
): string[] {
  const { part, kind } = group.difference;
  // If the statuses are of different classes, one target usually refuses the request, so the gap is about the request.
  const isAboutRequest = part === 'status' && group.statusClassesDiffer;
  // The last entry of `enclosingGaps` has the gaps about the whole response, which do not explain a single value.
  const candidates =
    part === 'body' && kind === 'value' ? [ownGaps, ...enclosingGaps.slice(0, -1)] : [ownGaps, ...enclosingGaps];
  const unknown = firstMatches(
    isAboutRequest ? [[...operationGaps, ...requestGaps]] : candidates,
    (id) => canCause(id, group) && !agreeingGaps.has(id),
  );
  return unknown.length > 0 ? unknown : firstMatches([ownGaps], (id) => canCause(id, group));
}

/** Returns the matching gaps of the first list that has any. */
function firstMatches(lists: readonly (readonly string[])[], isMatch: (id: string) => boolean): string[] {
  return lists.map((ids) => [...new Set(ids)].filter(isMatch)).find(({ length }) => length > 0) ?? [];
}

/** Looks up the part that differs, and combines what the document states about it for the responses of both targets. */
function documentedPartOf({ difference: { part, path }, members }: Group): DocumentedPart {
  // All members of a group have the same place, so the first one is enough.
  const [{ pair }] = members;
  const exchanges = [pair.a, pair.b];
  const parts = exchanges.flatMap((exchange) => {
    const { status } = exchange;
    // All operations have the same rate-limit headers, as do the responses for unknown paths.
    const operation = answeredOperation(exchange) ?? (part === 'header' ? operations[0] : undefined);
    if (!operation) return part === 'body' ? [documentedErrorField(path)] : [];
    if (part === 'status') return documentedStatus(operation, status, exchanges.flatMap(fieldsInErrors));
    return part === 'header'
      ? documentedHeader(operation, status, path.join())
      : documentedField(operation, status, path);
  });
  const depth = Math.max(0, ...parts.map(({ enclosingGaps }) => enclosingGaps.length));
  return {
    ownGaps: parts.flatMap(({ ownGaps }) => ownGaps),
    enclosingGaps: Array.from({ length: depth }, (_, level) =>
      parts.flatMap(({ enclosingGaps }) => enclosingGaps[level] ?? []),
    ),
    operationGaps: parts.flatMap(({ operationGaps }) => operationGaps),
    requestGaps: parts.flatMap(({ requestGaps }) => requestGaps),
    types: parts.flatMap(({ types }) => types),
    isFreeText: parts.some(({ isFreeText }) => isFreeText),
    isDocumented: parts.length === 0 || parts.some(({ isDocumented }) => isDocumented),
  };
}

/** Names the fields in the `errors` of a response: `items.0.quantity`. */
function fieldsInErrors({ json }: Exchange): string[] {
  const errors = valueAt(json, 'errors');
  return isRecord(errors) ? Object.keys(errors) : [];
}

/** Finds the gaps that were observed in every pair of a group. */
function gapsProbedInAllPairs({ members }: Group, { gapsByExchange }: Findings): string[] {
  const [first = [], ...others] = members.map(({ pair: { a, b } }) =>
    [a, b].flatMap((exchange) => gapsByExchange.get(exchange) ?? []),
  );
  return first.filter((id) => others.every((ids) => ids.includes(id)));
}

/** True if only text for people differs: free text, or the number of error messages for a field. */
function differsOnlyInWording(
  { difference: { part, path, kind, a, b } }: Group,
  { isFreeText }: DocumentedPart,
): boolean {
  if (part !== 'body') return false;
  // `errors.amount.*` is a message for a field, or the number of its messages. `errors.*` may be a field that only one
  // of the targets names, which is a real difference.
  if (path[0] === 'errors' && path.at(-1) === '*') {
    const haveMessages = [a, b].every((value) => typeof value === 'string' || Array.isArray(value));
    return path.length > 2 || (kind !== 'missing' && haveMessages);
  }
  if (path.join() === 'message' && isFreeText) return true;
  return kind === 'value' && isFreeText && typeof a === 'string' && typeof b === 'string';
}

/** Gaps about requests. Their choices affect only the status of a response. */
const statusOnlyGaps = ['text.lengths', 'text.characters', 'amount.maximum', 'metadata.size', 'metadata.values'];

/** Gaps whose choices decide whether a field or header is present. */
const presenceGaps = [
  'null.optional',
  'payment.paid-at-unpaid',
  'invoice.transactions',
  'invoice.subscription',
  'overdue.link-null',
  'deposit.fields',
  'page.last-page-everywhere',
  'validation.status',
  'validation.nested-keys',
  'rate.exceeded',
  'request.method',
];

/** Gaps that can cause a difference between an array or object and a value of another type. */
const containerGaps = ['invoice.transactions', 'invoice.subscription', 'rate.exceeded', 'deposit.fields'];

/** Gaps whose choices cannot make a target refuse a request that is within its rate limit. */
const gapsThatRefuseNothing = [
  'decimal.encoding',
  'deposit.fields',
  'deposit.unset-fields',
  'list.order',
  'null.optional',
  'page.last-page-everywhere',
  'payment.date-filter',
  'payment.methods',
  'payment.paid-at-unpaid',
  'rate.burst',
  'rate.key',
  'rate.reset-unit',
  'rate.unauthenticated',
  'rate.window',
];

/** True if a gap can cause the difference of a group. */
function canCause(id: string, group: Group): boolean {
  const { difference, statusClassesDiffer, members } = group;
  const { part, kind, a, b } = difference;
  if (id.startsWith('auth.') && members.every(({ pair }) => hasFullToken(pair.a))) return false;
  if (id === 'deposit.unset-fields') return isUnset(a) && isUnset(b);
  if (isAboutContainers(group)) return containerGaps.includes(id);
  if (part === 'status') return statusClassesDiffer ? !gapsThatRefuseNothing.includes(id) : hasStatuses(id);
  // A decimal as a number on one side, and as a string on the other.
  const isEncoding = kind === 'type' && decimalOf(a) !== undefined && decimalOf(b) !== undefined;
  if (isEncoding || id === 'decimal.encoding') return isEncoding && id === 'decimal.encoding';
  if (kind === 'missing') return presenceGaps.includes(id);
  if (id === 'null.optional') return kind === 'type';
  // The choices for deposit.fields only add or remove fields.
  return id !== 'deposit.fields' && !statusOnlyGaps.includes(id);
}

/** True if a request has the token with both scopes, in the usual header. */
function hasFullToken({ call: { token = 'full', tokenStyle, headers } }: Exchange): boolean {
  return token === 'full' && tokenStyle === undefined && headers?.['Authorization'] === undefined;
}

/** True for the representations of a field that was never given. */
function isUnset(value: unknown): boolean {
  return (value ?? '') === '' || (isRecord(value) && Object.keys(value).length === 0);
}

/** True if the choices of a gap in the registry include a status, or an error response (`answer`). */
function hasStatuses(id: string): boolean {
  const choices = Object.entries(gapRegistry).find(([gap]) => gap === id)?.[1].choices ?? {};
  return Object.entries(choices).some(
    // The names of such choices begin with the status: `404`, `422-…`.
    ([name, choice]) => /^(20|4\d)\d(-|$)/.test(name) || choice.answer !== undefined,
  );
}
