import type { Choice, Gap } from './gaps.js';

/** A choice that a gap offers, with its description. */
export interface DescribedChoice extends Pick<Choice, 'description' | 'takes'> {
  readonly name: string;
}

/** The choice of an account for a gap: its name, and its value if it takes one. */
export interface ChoiceWithValue {
  readonly name: string;
  readonly value?: unknown;
}

/** Available choices of a gap, which is a question that the specification does not answer. */
export function choicesOf({ choices }: Gap): DescribedChoice[] {
  return Object.entries(choices).map(([name, choice]) => ({ name, ...choice }));
}

/** Splits a choice of a profile, which is written as `name` or as `{ name: value }`, into its name and its value. */
export function parseChoice(choice: unknown): ChoiceWithValue {
  // YAML parses an unquoted 422 or null as a number or null, but the names of choices are strings.
  if (typeof choice !== 'object' || choice === null) return { name: String(choice) };
  const [[name, value] = ['']] = Object.entries(choice);
  return { name, value };
}
