import { gapRegistry } from '../../generated/gap-registry.js';
import type { components } from '../../generated/profile-types.js';
import type { Clause } from '../engine/clause.js';
import type { ClauseContext, GapId } from '../engine/session.js';
import { formatValue } from '../engine/verdict.js';
import { type Heading, headings } from '../report/headings.js';

type Profile = components['schemas']['Profile'];

/** A choice as written in a profile: a duration is a string such as `P8D`, not the number to which it is parsed. */
export type Choice<Id extends GapId> = Profile[Id] extends infer Value
  ? Value extends { readonly for: number }
    ? { readonly for: string }
    : Value
  : never;

/** Observed behaviour of a target that matches none of the choices that the gap registry lists for a gap. */
export class Unlisted {
  /** A description, or the observed value. */
  readonly observed: unknown;

  constructor(observed: unknown) {
    this.observed = observed;
  }
}

/**
 * An open clause that observes which choice a target has made for a gap. A gap is a question that the specification
 * does not answer; the gap registry lists possible answers, the choices.
 */
export interface Probe extends Clause {
  readonly gap: GapId;
  /**
   * True if the probe only examines responses to the requests of other clauses, so that it adds no requests to a run.
   */
  readonly isPassive: boolean;
  /** Names of the body fields and headers that show the choice, for the lines of evidence. */
  readonly evidenceFields: readonly string[];
}

/** Observes which choice a target has made. @throws Skip or Blocked if the choice cannot be observed */
type FindChoice<Id extends GapId> = (context: ClauseContext) => Promise<Choice<Id> | Unlisted>;

/** End of the message about behaviour that matches no choice, so that it is left out of the profile. */
const unlistedReason = 'which matches no choice of the registry';

/**
 * Defines a probe that sends its own requests.
 * @param findChoice runs as the check of the clause
 * @param evidenceFields names of the body fields and headers that show the choice
 */
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

/** Defines a probe that sends no requests: it only examines the responses to the requests of other clauses. */
export function passiveProbe<Id extends GapId>(
  gap: Id,
  findChoice: FindChoice<Id>,
  ...evidenceFields: readonly string[]
): Probe {
  return { ...activeProbe(gap, findChoice, ...evidenceFields), isPassive: true };
}

/**
 * Defines a probe for a gap that cannot be observed from outside.
 * @param why the reason, as the end of a sentence; default: the reason in the registry
 */
export function unobservable(gap: GapId, why?: string): Probe {
  return {
    ...commonFields(gap),
    isPassive: true,
    evidenceFields: [],
    check: { untestable: why ?? registeredReason(gap) },
  };
}

/** Reads the reason why a gap cannot be observed, which the registry has in `probe`, as the end of a sentence. */
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
 * Finds the heading of the specification for a gap's section in the registry: `States and transitions` for the section
 * `States and transitions, Invoice`.
 */
function headingOf(section: string): Heading {
  const found =
    headings.find((heading) => heading === section) ?? headings.find((heading) => isRelated(heading, section));
  if (!found) throw new Error(`the specification has no heading ${section}`);
  return found;
}

/**
 * Returns whether a section of the registry belongs to a heading: it names a part of that heading, or the heading is
 * the same apart from a remark in parentheses.
 */
function isRelated(heading: Heading, section: string): boolean {
  return section.startsWith(`${heading},`) || heading.startsWith(`${section} (`);
}
