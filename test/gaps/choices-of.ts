import type { Choice } from '../../src/domain/gaps.js';
import type { GapRegistry } from '../../src/generated/profile-types.js';

/** A choice, with the id of its gap and its own name. */
export interface NamedChoice {
  readonly id: string;
  readonly name: string;
  readonly choice: Choice;
}

/** All choices of the registry. */
export function choicesOf(registry: GapRegistry): NamedChoice[] {
  return Object.entries(registry).flatMap(([id, gap]) =>
    Object.entries<Choice | string>(gap.choices).map(([name, choice]) => ({
      id,
      name,
      choice: typeof choice === 'string' ? { description: choice } : choice,
    })),
  );
}
