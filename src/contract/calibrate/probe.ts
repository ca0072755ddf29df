import { gapRegistry } from '../../generated/gap-registry.js';
import type { components } from '../../generated/profile-types.js';
import type { Clause } from '../engine/clause.js';
import type { ClauseContext, GapId } from '../engine/session.js';
import { shown } from '../engine/verdict.js';
import { type Heading, headings } from '../report/headings.js';

type Profile = components['schemas']['Profile'];

/** A choice as a profile writes it: durations are texts, such as `P8D`. */
export type Choice<Id extends GapId> = Profile[Id] extends infer Made
  ? Made extends { readonly for: number }
    ? { readonly for: string }
    : Made
  : never;

/** Behaviour of a target that is not among the choices of the registry. */
export class Unlisted {
  /** In words, or as it came. */
  readonly seen: unknown;

  constructor(seen: unknown) {
    this.seen = seen;
  }
}

/** An open clause that finds out what a target has chosen for a gap. */
export interface Probe extends Clause {
  readonly gap: GapId;
  /** Whether it only looks at what other clauses requested, so that it costs a run of all clauses nothing. */
  readonly isPassive: boolean;
  /** Names of the fields that show the choice, if any: evidence shows these. */
  readonly telling: readonly string[];
}

/** @throws Skip, Blocked if the choice is not visible */
type Find<Id extends GapId> = (context: ClauseContext) => Promise<Choice<Id> | Unlisted>;

/** Ends what was observed where no profile can say so. */
const unlisted = 'which matches no choice of the registry';

/**
 * Makes a probe that sends requests of its own.
 * @param telling names of the fields that show the choice
 */
export function activeProbe<Id extends GapId>(gap: Id, find: Find<Id>, ...telling: readonly string[]): Probe {
  return {
    ...common(gap),
    isPassive: false,
    telling,
    check: async (context) => {
      const found = await find(context);
      if (found instanceof Unlisted) return `${shown(found.seen)}, ${unlisted}`;
      context.observe(gap, found);
      return found;
    },
  };
}

/** Makes a probe that only looks at what other clauses requested. */
export function passiveProbe<Id extends GapId>(gap: Id, find: Find<Id>, ...telling: readonly string[]): Probe {
  return { ...activeProbe(gap, find, ...telling), isPassive: true };
}

/** A gap that is not seen from outside. @param why as the registry says it, unless given */
export function unseen(gap: GapId, why?: string): Probe {
  return { ...common(gap), isPassive: true, telling: [], check: { untestable: why ?? registered(gap) } };
}

function registered(gap: GapId): string {
  const { probe } = gapRegistry[gap];
  return probe.charAt(0).toLowerCase() + probe.slice(1).replace(/\.$/, '');
}

function common(gap: GapId) {
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

/** The heading of a section of the registry, which may name a part of it: `States and transitions, Invoice`. */
function headingOf(section: string): Heading {
  const found = headings.find((heading) => heading === section) ?? headings.find((one) => isBegun(one, section));
  if (!found) throw new Error(`the specification has no heading ${section}`);
  return found;
}

function isBegun(heading: Heading, section: string): boolean {
  return section.startsWith(`${heading},`) || heading.startsWith(`${section} (`);
}
