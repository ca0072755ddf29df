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
  const [firstLine, ...lines] = lifecycleDiagram(name).split('\n');
  const arrows = lines.map((line) => /^ {4}(\S+) --> (\S+?)(?:: (.+))?$/.exec(line)).filter((arrow) => arrow !== null);
  const table: readonly Transition<string, string, string>[] = tables[name];

  it('is valid Mermaid syntax for a state diagram', () => {
    expect(firstLine).toBe('stateDiagram-v2');
    // Either `from --> to: label`, where a colon or semicolon would end the label, or a choice node.
    const invalidLines = lines.filter(
      (line) => !/^ {4}(?:(?:\w+|\[\*\]) --> (?:\w+|\[\*\])(?:: [^:;]+)?|state \w+ <<choice>>)$/.test(line),
    );
    expect(invalidLines).toEqual([]);
  });

  it('has no line twice', () => {
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('has an arrow for every transition, from each state that the transition may start in', () => {
    const edges = arrows.map(([, from, to, label = '']) => ({ from, to, label }));
    for (const { from, cause, when, choices = {}, to, event } of table) {
      const labelParts = [when, ...Object.values(choices).map(String), event].filter((text) => text !== undefined);
      for (const state of from) {
        // If a choice node is in between, the cause is the label of the arrow to that node.
        const startNodes = [
          state,
          ...edges.filter((edge) => edge.from === state && edge.label === cause).map(({ to }) => to),
        ];
        const matchingEdge = edges.find(
          (edge) =>
            edge.to === to &&
            startNodes.includes(edge.from) &&
            (edge.from !== state || edge.label.startsWith(cause)) &&
            labelParts.every((text) => edge.label.includes(text)),
        );
        expect(matchingEdge, `${state} ${cause} ${to}`).toBeDefined();
      }
    }
  });

  it('has a start state, and end states without transitions', () => {
    const statesWithTransitions = new Set(table.flatMap(({ from }) => from));
    const endStates = arrows.filter(([, , to]) => to === '[*]').map(([, from]) => from);
    expect(arrows.some(([, from]) => from === '[*]')).toBe(true);
    expect(endStates.filter((state) => state !== undefined && statesWithTransitions.has(state))).toEqual([]);
    const expectedEndStates = new Set(table.map(({ to }) => to).filter((state) => !statesWithTransitions.has(state)));
    expect(endStates).toHaveLength(expectedEndStates.size);
  });
});

it('the diagram of a deposit has choice nodes only where the options of a gap lead to different states', () => {
  const choiceNodes = lifecycleDiagram('deposit').match(/\w+(?= <<choice>>)/g);
  expect(choiceNodes).toEqual(['partially_captured_expire', 'partially_captured_release']);
});
