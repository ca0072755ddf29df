import { distance } from 'fastest-levenshtein';

const prefix = 'BILLING_SIM_';

/**
 * Finds variables in the environment whose names are almost valid. Variables with quite different names may belong to
 * other tools, and need no warning.
 */
export function misspelledVariables(
  validNames: readonly string[],
  environment: NodeJS.ProcessEnv,
): (readonly [name: string, suggestion: string])[] {
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith(prefix) || validNames.includes(name)) return [];
    const [suggestion] = validNames
      .filter((other) => other.startsWith(prefix) && isSimilar(name, other))
      .sort((one, other) => distance(name, one) - distance(name, other));
    return suggestion === undefined ? [] : [[name, suggestion] as const];
  });
}

/** Returns true if names differ in one letter, have two letters swapped or, if they are long, differ in two letters. */
function isSimilar(name: string, other: string): boolean {
  const isLong = name.length - prefix.length > 6;
  const isSwapped = [...name].sort().join() === [...other].sort().join();
  return distance(name, other) <= (isLong || isSwapped ? 2 : 1);
}
