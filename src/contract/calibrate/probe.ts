import { gapRegistry } from '../../generated/gap-registry.js';
import type { components } from '../../generated/profile-types.js';
import { formatValue } from '../engine/check-errors.js';
import type { Clause } from '../engine/clause.js';
import type { ClauseContext, GapId } from '../engine/session.js';
import { type Heading, headings } from '../report/headings.js';
import { formatObservation } from './format-observation.js';

type Profile = components['schemas']['Profile'];

/** A choice as written in a profile: a duration is a string such as `P8D`, not the number to which it is parsed. */
export type Choice<Id extends GapId> = Profile[Id] extends infer Value
  ? Value extends { readonly for: number }
    ? { readonly for: string }
    : Value
  : never;

/** Observation that matches none of the choices that the gap registry lists for the gap. */
export class NoMatchingChoice {
  /** A description, or the observed value. */
  readonly observed: unknown;

  constructor(observed: unknown) {
    this.observed = observed;
  }
}

/** A choice that fits an observation in part, and a remark on the part that no choice of the gap includes. */
export class ChoiceWithRemark<Choice> {
  readonly choice: Choice;
  readonly remark: string;

  constructor(choice: Choice, remark: string) {
    this.choice = choice;
    this.remark = formatValue(remark);
  }
}

/** Returns a choice that fits a record, with a remark on the record's other fields, if it has any. */
export function choiceWithOtherFields<Choice>(
  choice: Choice,
  otherFields: readonly string[],
): Choice | ChoiceWithRemark<Choice> {
  if (otherFields.length === 0) return choice;
  return new ChoiceWithRemark(choice, `also \`${otherFields.join('`, `')}\`, which no choice of the gap includes`);
}

/**
 * An open clause that observes which choice a target has made for a gap. A gap is a question that the specification
 * does not answer; the gap registry lists possible answers, the choices.
 */
export interface Probe extends Clause {
  readonly gap: GapId;
  /**
   * True if the probe adds no requests to a run of all clauses: it only uses setups that clauses use, too, or its gap
   * cannot be observed. Every contract run includes passive probes; `calibrate` and `compare` add the active ones.
   */
  readonly isPassive: boolean;
  /** Names of the body fields and headers that show the choice, for the lines of evidence. */
  readonly evidenceFields: readonly string[];
}

/** The parts of a probe that differ from gap to gap. */
interface ProbeOptions<Id extends GapId> {
  readonly gap: Id;
  /** Names of the body fields and headers to show in the lines of evidence; none if they do not show the choice. */
  readonly evidenceFields?: readonly string[];
  /** Observes which choice the target has made. @throws Skip or Blocked if the choice cannot be observed */
  readonly findChoice: (
    context: ClauseContext,
  ) => Promise<Choice<Id> | ChoiceWithRemark<Choice<Id>> | NoMatchingChoice>;
}

/** Explains why an observation is left out of the profile. */
const noMatchReason = 'which matches no choice of the gap';

/** Defines a probe that sends requests which no clause needs. */
export function activeProbe<Id extends GapId>({ gap, evidenceFields = [], findChoice }: ProbeOptions<Id>): Probe {
  return {
    ...commonFields(gap),
    isPassive: false,
    evidenceFields,
    check: async (context) => {
      const found = await findChoice(context);
      if (found instanceof NoMatchingChoice) return `${formatObservation(found.observed)}, ${noMatchReason}`;
      const { choice, remark = undefined } = found instanceof ChoiceWithRemark ? found : { choice: found };
      context.session.recordChoice(gap, choice, remark);
      const description = formatObservation(describeChoice(gap, choice));
      return remark === undefined ? description : `${description.replace(/\.$/, '')}; ${remark}`;
    },
  };
}

/**
 * Returns the registry's description of a choice. A choice that the registry does not describe is returned unchanged.
 */
function describeChoice(gap: GapId, choice: unknown): unknown {
  return (typeof choice === 'string' && gapRegistry[gap].choices[choice]?.description) || choice;
}

/**
 * Defines a probe that adds no requests to a run of all clauses: clauses use its setups, such as a paid invoice, too,
 * and a setup runs only once.
 */
export function passiveProbe<Id extends GapId>(options: ProbeOptions<Id>): Probe {
  return { ...activeProbe(options), isPassive: true };
}

/**
 * Defines a probe for a gap that cannot be observed from outside.
 * @param why the reason, as the end of a sentence; default: the reason in the registry
 */
export function unobservableProbe(gap: GapId, why?: string): Probe {
  return {
    ...commonFields(gap),
    isPassive: true,
    evidenceFields: [],
    check: { untestable: why ?? registeredReason(gap) },
  };
}

/** Returns the reason why a gap cannot be observed, which its `probe` field states, as the end of a sentence. */
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

/** Finds the heading of the specification to which a section in the gap registry refers. */
function headingOf(section: string): Heading {
  const found =
    headings.find((heading) => heading === section) ?? headings.find((heading) => refersTo(section, heading));
  if (!found) throw new Error(`the specification has no heading ${section}`);
  return found;
}

/**
 * True if a section in the registry refers to a heading: `States and transitions, Invoice` to `States and transitions`,
 * or `Pagination envelope` to `Pagination envelope (list endpoints)`.
 */
function refersTo(section: string, heading: Heading): boolean {
  return section.startsWith(`${heading},`) || heading.startsWith(`${section} (`);
}
