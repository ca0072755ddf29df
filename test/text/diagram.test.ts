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
  const arrows = lines.flatMap((line) => {
    const [match, from = '', to = '', label = ''] = /^ {4}(\S+) --> (\S+?)(?:: (.+))?$/.exec(line) ?? [];
    return match === undefined ? [] : [{ from, to, label }];
  });
  const table: readonly Transition<string, string, string>[] = tables[name];

  it('is valid Mermaid syntax for a state diagram', () => {
    expect(firstLine).toBe('stateDiagram-v2');
    // A line is an arrow or a choice node: `from --> to: label` or `state name <<choice>>`. A colon or semicolon would
    // end a label.
    const invalidLines = lines.filter(
      (line) => !/^ {4}(?:(?:\w+|\[\*\]) --> (?:\w+|\[\*\])(?:: [^:;]+)?|state \w+ <<choice>>)$/.test(line),
    );
    expect(invalidLines).toEqual([]);
  });

  it('has no line twice', () => {
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('has an arrow for every transition, from each state that the transition may start in', () => {
    for (const { from, cause, when, choices = {}, to, event } of table) {
      const labelParts = [when, ...Object.values(choices).map(String), event].filter((text) => text !== undefined);
      for (const state of from) {
        // One arrow leads to the next state, or two arrows do, through a choice node. If there are two, the first is
        // labeled with the cause, and the second with the rest.
        const choiceNodes = arrows
          .filter((arrow) => arrow.from === state && arrow.label === cause)
          .map((arrow) => arrow.to);
        const matchingArrow = arrows.find(
          (arrow) =>
            arrow.to === to &&
            (arrow.from === state ? arrow.label.startsWith(cause) : choiceNodes.includes(arrow.from)) &&
            labelParts.every((text) => arrow.label.includes(text)),
        );
        expect(matchingArrow, `${state} ${cause} ${to}`).toBeDefined();
      }
    }
  });

  it('has an arrow from the start, and an arrow to the end from every state that no transition leaves', () => {
    const statesWithTransitions = new Set(table.flatMap(({ from }) => from));
    const finalStates = new Set(table.map(({ to }) => to).filter((state) => !statesWithTransitions.has(state)));
    expect(arrows.some(({ from }) => from === '[*]')).toBe(true);
    expect(
      arrows
        .filter(({ to }) => to === '[*]')
        .map(({ from }) => from)
        .sort(),
    ).toEqual([...finalStates].sort());
  });
});

it('the diagram of a deposit has choice nodes only where the choices for a gap lead to different states', () => {
  const choiceNodes = lifecycleDiagram('deposit').match(/\w+(?= <<choice>>)/g);
  expect(choiceNodes).toEqual(['partially_captured_expire', 'partially_captured_release']);
});
