import type { Choice } from '../../src/domain/gaps.js';
import type { GapRegistry } from '../../src/generated/profile-types.js';

/** A choice with its name and the id of its gap. */
export interface NamedChoice {
  readonly gapId: string;
  readonly name: string;
  readonly choice: Choice;
}

/** Returns the choices of all gaps. */
export function namedChoicesOf(registry: GapRegistry): NamedChoice[] {
  return Object.entries(registry).flatMap(([gapId, gap]) =>
    Object.entries(gap.choices).map(([name, choice]) => ({ gapId, name, choice })),
  );
}
