import { itemsOf, memberOf } from '../lib/json.js';
import type { InvalidRow, StoredTables } from './stored-tables.js';

/**
 * Finds rows with a fault effect whose options are invalid; `rows.schema.yaml` does not describe the options. The
 * effects are imported lazily, since most accounts have no faults.
 */
export async function rowsWithInvalidEffects(tables: StoredTables): Promise<InvalidRow[]> {
  const found = Object.entries(effectReaders).flatMap(([table, effectsOf]) =>
    (tables[table] ?? []).flatMap((row, index) => effectsOf(row).map((effect) => ({ table, index, ...effect }))),
  );
  if (found.length === 0) return [];
  const { storedEffectError } = await import('../faults/read-effects.js');
  return found.flatMap(({ table, index, place, effect }) => {
    const error = storedEffectError(effect);
    return error === undefined ? [] : [{ table, index, message: `${table}[${index}].${place}: ${error}` }];
  });
}

interface PlacedEffect {
  /** Place of the effect's list in its row, such as `steps[2].fault.effects`. */
  readonly place: string;
  readonly effect: unknown;
}

/** Returns the effects in a row, for each table whose rows have some. */
const effectReaders: Readonly<Record<string, (row: unknown) => PlacedEffect[]>> = {
  faults: (fault) => placedEffects(fault, 'effects'),
  deliveries: (delivery) =>
    itemsOf(delivery, 'faults').flatMap((fault, index) => placedEffects(fault, `faults[${index}].effects`)),
  scenarios: effectsOfSteps,
  runs: effectsOfSteps,
};

function effectsOfSteps(row: unknown): PlacedEffect[] {
  return itemsOf(row, 'steps').flatMap((step, index) =>
    placedEffects(memberOf(step, 'fault'), `steps[${index}].fault.effects`),
  );
}

function placedEffects(fault: unknown, place: string): PlacedEffect[] {
  return itemsOf(fault, 'effects').map((effect) => ({ place, effect }));
}
