import { gapRegistry } from '../../generated/gap-registry.js';
import type { components } from '../../generated/profile-types.js';
import type { Clause } from '../engine/clause.js';
import type { ClauseContext, GapId } from '../engine/session.js';
import { formatValue } from '../engine/verdict.js';
import { type Heading, headings } from '../report/headings.js';

type Profile = components['schemas']['Profile'];

/** A choice in the format of a profile: durations are strings such as `P8D`. */
export type Choice<Id extends GapId> = Profile[Id] extends infer Value
  ? Value extends { readonly for: number }
    ? { readonly for: string }
    : Value
  : never;

/** Behaviour of a target that is not among the choices of the gap registry. */
export class Unlisted {
  /** A description, or the observed value. */
  readonly observed: unknown;

  constructor(observed: unknown) {
    this.observed = observed;
  }
}

/** An open clause that observes which choice a target has made for a gap. */
export interface Probe extends Clause {
  readonly gap: GapId;
  /** True if the probe only reads responses to requests of other clauses, so that it adds no requests to a full run. */
  readonly isPassive: boolean;
  /** Fields that show the choice, for the evidence. */
  readonly evidenceFields: readonly string[];
}

/** Observes which choice a target has made. @throws Skip, or Blocked if the choice cannot be observed */
type FindChoice<Id extends GapId> = (context: ClauseContext) => Promise<Choice<Id> | Unlisted>;

/** Explains why an observation is left out of the profile. */
const unlistedReason = 'which matches no choice of the registry';

/** Defines a probe that sends its own requests. @param evidenceFields names of the fields that show the choice */
export function activeProbe<Id extends GapId>(
  gap: Id,
  findChoice: FindChoice<Id>,
  ...evidenceFields: readonly string[]
): Probe {
  return {
    ...commonFields(gap),
    isPassive: false,
    evidenceFields,
    check: async (context) => {
      const choice = await findChoice(context);
      if (choice instanceof Unlisted) return `${formatValue(choice.observed)}, ${unlistedReason}`;
      context.observe(gap, choice);
      return choice;
    },
  };
}

/** Defines a probe that only reads responses to requests of other clauses. */
export function passiveProbe<Id extends GapId>(
  gap: Id,
  findChoice: FindChoice<Id>,
  ...evidenceFields: readonly string[]
): Probe {
  return { ...activeProbe(gap, findChoice, ...evidenceFields), isPassive: true };
}

/**
 * Defines a probe for a gap that cannot be observed from outside.
 * @param why the reason; by default the one in the registry
 */
export function unobservable(gap: GapId, why?: string): Probe {
  return {
    ...commonFields(gap),
    isPassive: true,
    evidenceFields: [],
    check: { untestable: why ?? registeredReason(gap) },
  };
}

function registeredReason(gap: GapId): string {
  const { probe } = gapRegistry[gap];
  return probe.charAt(0).toLowerCase() + probe.slice(1).replace(/\.$/, '');
}

function commonFields(gap: GapId) {
  const { section, question } = gapRegistry[gap];
  return {
    gap,
    id: `GAP-${gap.replaceAll('.', '-').toUpperCase()}`,
    level: 'open',
    operation: null,
    spec: headingOf(section),
    title: question,
  } as const;
}

/**
 * Finds the heading of a section in the registry; `States and transitions, Invoice` belongs to `States and
 * transitions`.
 */
function headingOf(section: string): Heading {
  const found =
    headings.find((heading) => heading === section) ?? headings.find((heading) => isRelated(heading, section));
  if (!found) throw new Error(`the specification has no heading ${section}`);
  return found;
}

/** Returns whether a section is a part of a heading, or the heading is the section with a remark in parentheses. */
function isRelated(heading: Heading, section: string): boolean {
  return section.startsWith(`${heading},`) || heading.startsWith(`${section} (`);
}
