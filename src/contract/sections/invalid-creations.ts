import { isRecord } from '../../lib/json.js';
import { conjunction } from '../../lib/messages.js';
import { isClientError, valueAt } from '../engine/expect.js';
import { ifPossible } from '../engine/if-possible.js';
import type { JsonObject } from '../engine/json.js';
import { type ClauseContext, type Session, type Setup, setup } from '../engine/session.js';
import { isPresent } from '../predicates/matchers.js';
import type { Creation } from './created-records.js';

/** A body that must be refused because of one field. */
export interface InvalidBody {
  /** Title of the clause about it. */
  readonly title: string;
  /** The field as errors name it: `quantity` for that of an item. */
  readonly field: string;
  /**
   * Part of the body that the target judges independently of the other parts. Default: the field. Only bodies with
   * defects in different parts can be combined.
   */
  readonly part?: string;
  /** True for a body with a valid format. Targets may judge it only if no other part of it is invalid. */
  readonly isWellFormed?: boolean;
}

/** The sessions in which requests with several invalid fields show no more than those with one. */
const sessionsWithoutFieldNames = new WeakSet<Session>();

/**
 * Creates a setup for each invalid body, which returns a request that shows whether the target refuses the body. To save
 * requests, it first sends the defects of several bodies in one request. If the errors of the response name the field of
 * a body, the target would refuse that body alone, too. Otherwise the body is sent alone.
 * @param noun what is created: `an invoice`
 * @param send sends a request with the defects of the given bodies, each of another part
 */
export function invalidCreations<Body extends InvalidBody>(
  noun: string,
  bodies: readonly Body[],
  send: (context: ClauseContext, bodies: readonly Body[]) => Promise<Creation>,
): readonly (Body & { readonly creation: Setup<Creation> })[] {
  const combinations = combine(bodies).map((combination) => ({
    combination,
    combined: setup(`${noun} with invalid ${conjunction(combination.map(({ field }) => field))}`, (context) =>
      send(context, combination),
    ),
  }));
  return bodies.map((body) => {
    const found = combinations.find(({ combination }) => combination.includes(body));
    const creation = setup(`the request for: ${body.title}`, async (context) => {
      const { session } = context;
      if (found && found.combination.length > 1 && !sessionsWithoutFieldNames.has(session)) {
        const combined = await ifPossible(context.use(found.combined));
        if (combined && isRefusedFor(combined, body)) return combined;
        if (!combined || !found.combination.some((other) => isRefusedFor(combined, other)))
          sessionsWithoutFieldNames.add(session);
      }
      return send(context, [body]);
    });
    return { ...body, creation };
  });
}

const partOf = ({ field, part = field }: InvalidBody): string => part;

/** Groups bodies so that the bodies of a group have their defects in different parts, except well-formed bodies. */
function combine<Body extends InvalidBody>(bodies: readonly Body[]): Body[][] {
  const combinations: Body[][] = [];
  for (const body of bodies.filter(({ isWellFormed }) => !isWellFormed)) {
    const combination = combinations.find((others) => others.every((other) => partOf(other) !== partOf(body)));
    if (combination) combination.push(body);
    else combinations.push([body]);
  }
  return combinations;
}

function isRefusedFor({ exchange }: Creation, { field }: InvalidBody): boolean {
  const errors = valueAt(exchange.json, 'errors');
  return isClientError(exchange) && isRecord(errors) && hasMessageFor(errors, field);
}

/**
 * True if `errors` has a message for a field. The specification does not say how a key refers to a field of an item:
 * `quantity`, `items.0.quantity` or `items[0].quantity`.
 */
export function hasMessageFor(errors: JsonObject, field: string): boolean {
  return Object.entries(errors).some(
    ([key, messages]) => key.split(/\W+/).includes(field) && isPresent(messages) && String(messages) !== '',
  );
}
