import { formatShortForm } from '../domain/fault-grammar.js';
import type { Fault } from '../domain/faults.js';
import { describeFaultScope } from '../text/fault-text.js';
import { effects } from './index.js';

/** Describes a fault: `fault 2, status=503 on createDeposit, once`. */
export function describeFault(fault: Fault): string {
  return `fault ${fault.id}, ${shortFormOf(fault)} on ${describeFaultScope(fault)}`;
}

/** Formats the effects of a fault in the short form: `latency=200ms, status=503`. */
export function shortFormOf(fault: Fault): string {
  const shortForms = fault.effects.map((effect) => {
    const valueOption = effects.find(({ name }) => name === effect.name)?.valueOption;
    return formatShortForm(effect, valueOption ?? null);
  });
  return shortForms.join(', ');
}
