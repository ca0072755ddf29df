import type { Choice, Gap } from './gaps.js';

/** A choice that a gap offers, with its description. */
export interface DescribedChoice {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its value; undefined if it takes none. */
  readonly takes?: Choice['takes'];
}

/** The choice of an account for a gap: its name, and its value if it takes one. */
export interface ChoiceWithValue {
  readonly name: string;
  readonly value?: unknown;
}

/** Available choices of a gap, which is a question that the specification does not answer. */
export function choicesOf({ choices }: Gap): DescribedChoice[] {
  return Object.entries(choices).map(([name, choice]) =>
    typeof choice === 'string'
      ? { name, description: choice }
      : { name, description: choice.description, takes: choice.takes },
  );
}

/**
 * Parses a choice as written in a profile: `name`, or `{ name: value }`.
 * @param writtenChoice undefined if the profile does not choose; the default choice is returned then
 */
export function parseChoice(gap: Gap, writtenChoice: unknown): ChoiceWithValue {
  if (writtenChoice === undefined) return { name: gap.default };
  if (typeof writtenChoice !== 'object' || writtenChoice === null) return { name: String(writtenChoice) };
  const [[name, value] = [gap.default]] = Object.entries(writtenChoice);
  return { name, value };
}
