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

/** Splits a choice, as written in a profile or resolved, into its name and its value: `name`, or `{ name: value }`. */
export function parseChoice(choice: unknown): ChoiceWithValue {
  // YAML parses an unquoted 422 or null as a number or null; the names in the registry are strings.
  if (typeof choice !== 'object' || choice === null) return { name: String(choice) };
  const [[name, value] = ['']] = Object.entries(choice);
  return { name, value };
}
