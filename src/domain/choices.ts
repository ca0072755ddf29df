import type { Choice, Gap } from './gaps.js';

/** A choice for a gap, with its description. */
export interface DescribedChoice {
  readonly name: string;
  readonly says: string;
  /** JSON Schema of the value that it needs; undefined where it needs none. */
  readonly takes?: Choice['takes'];
}

/** The choice of an account for a gap: its name, with the value that it takes. */
export interface Chosen {
  readonly name: string;
  readonly value?: unknown;
}

/** The choices that there are for a gap. */
export function choicesOf({ choices }: Gap): DescribedChoice[] {
  return Object.entries(choices).map(([name, choice]) =>
    typeof choice === 'string' ? { name, says: choice } : { name, says: choice.says, takes: choice.takes },
  );
}

/** Reads a choice as a profile writes it; undefined stands for the default. */
export function chosen(gap: Gap, written: unknown): Chosen {
  if (written === undefined) return { name: gap.default };
  if (typeof written !== 'object' || written === null) return { name: String(written) };
  const [[name, value] = [gap.default]] = Object.entries(written);
  return { name, value };
}
