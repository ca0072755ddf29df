import { formatShortForm } from '../domain/fault-grammar.js';
import type { Fault } from '../domain/faults.js';
import { describeFaultScope } from '../text/fault-text.js';
import { effects } from './index.js';

/** Describes a fault: `fault 2, status=503 on createDeposit, once`. */
export function describeFault(fault: Fault): string {
  const shortForms = fault.effects.map((effect) => {
    const valueOption = effects.find(({ name }) => name === effect.name)?.valueOption;
    return formatShortForm(effect, valueOption ?? null);
  });
  return `fault ${fault.id}, ${shortForms.join(', ')} on ${describeFaultScope(fault)}`;
}
