import { describe, expect, it } from 'vitest';
import { depositLifecycle } from '../../src/domain/deposit-lifecycle.js';
import { invoiceLifecycle } from '../../src/domain/invoice-lifecycle.js';
import type { Transition } from '../../src/domain/lifecycle.js';
import { paymentLifecycle } from '../../src/domain/payment-lifecycle.js';
import { lifecycleDiagram } from '../../src/text/diagram.js';

const tables = {
  deposit: depositLifecycle,
  payment: paymentLifecycle,
  invoice: invoiceLifecycle,
} as const satisfies Record<string, readonly Transition<string, string, string>[]>;

describe.each(['deposit', 'payment', 'invoice'] as const)('the diagram of a %s', (name) => {
  const [head, ...lines] = lifecycleDiagram(name).split('\n');
  const arrows = lines.map((line) => /^ {4}(\S+) --> (\S+?)(?:: (.+))?$/.exec(line)).filter((arrow) => arrow !== null);
  const table: readonly Transition<string, string, string>[] = tables[name];

  it('is made of what Mermaid says a state diagram is made of', () => {
    expect(head).toBe('stateDiagram-v2');
    // A name, an arrow, and a label that a colon or semicolon would end; or a diamond.
    const others = lines.filter(
      (line) => !/^ {4}(?:(?:\w+|\[\*\]) --> (?:\w+|\[\*\])(?:: [^:;]+)?|state \w+ <<choice>>)$/.test(line),
    );
    expect(others).toEqual([]);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('has a way for every row and every state that it leads from', () => {
    const steps = arrows.map(([, from, to, label = '']) => ({ from, to, label }));
    for (const { from, cause, when, given = {}, to, event } of table) {
      const texts = [when, ...Object.values(given).map(String), event].filter((text) => text !== undefined);
      for (const state of from) {
        // Through a diamond, the cause is on the arrow before.
        const starts = [
          state,
          ...steps.filter((step) => step.from === state && step.label === cause).map(({ to }) => to),
        ];
        const way = steps.find(
          (step) =>
            step.to === to &&
            starts.includes(step.from) &&
            (step.from !== state || step.label.startsWith(cause)) &&
            texts.every((text) => step.label.includes(text)),
        );
        expect(way, `${state} ${cause} ${to}`).toBeDefined();
      }
    }
  });

  it('begins somewhere, and ends where no row leads on', () => {
    const left = new Set(table.flatMap(({ from }) => from));
    const last = arrows.filter(([, , to]) => to === '[*]').map(([, from]) => from);
    expect(arrows.some(([, from]) => from === '[*]')).toBe(true);
    expect(last.filter((state) => state !== undefined && left.has(state))).toEqual([]);
    expect(last).toHaveLength(new Set(table.map(({ to }) => to).filter((state) => !left.has(state))).size);
  });
});

it('puts a diamond where the profile decides between states, and none where a state may stay', () => {
  const diamonds = lifecycleDiagram('deposit').match(/\w+(?= <<choice>>)/g);
  expect(diamonds).toEqual(['partially_captured_expire', 'partially_captured_release']);
});
