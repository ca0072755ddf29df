import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { FileError } from '../../src/files/data-file.js';
import {
  compileScenario,
  parseScenario,
  readScenario,
  readScenarios,
  ScenarioError,
} from '../../src/files/scenario-files.js';
import { builtInScenarios } from '../../src/generated/scenarios.js';
import { verbs } from '../../src/simulation/scenarios/verbs.js';
import { scenarioFilesIn } from '../support/scenario-files-in.js';
import { tempFolder } from '../support/temp-folder.js';

const builtInFolder = fileURLToPath(new URL('../../fixtures/scenarios', import.meta.url));
const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** YAML text of a scenario, with the given lines from line 4 on. */
const scenarioYaml = (subject: string, lines: string): string =>
  `name: x\ndescription: An example.\nfor: ${subject}\n${lines}`;
const depositYaml = (lines: string): string => scenarioYaml('deposit', lines);
/** YAML text of steps. */
const steps = (...items: string[]): string => ['steps:', ...items.map((item) => `  - ${item}`)].join('\n');
const authorizeSteps = steps('do: authorize');
const withName = (name: string): string => depositYaml(authorizeSteps).replace('name: x', `name: ${name}`);
const withDescription = (text: string): string => depositYaml(authorizeSteps).replace('An example.', text);

/** Expects a promise to be rejected with a FileError. @returns its message */
async function fileErrorMessage(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof FileError)) throw new Error(`expected a FileError, not ${error}`);
  return error.message;
}

/** Expects the compilation of a scenario to fail. @returns the message of its ScenarioError */
function compileErrorMessage(value: unknown): string {
  try {
    compileScenario(value);
  } catch (error) {
    if (error instanceof ScenarioError) return error.message;
    throw error;
  }
  throw new Error('the scenario was accepted');
}

const invalidDuration = 'is not a duration of up to 1,000 years (for example 2m, 2h 30m, 8d or P8D)';
const depositEvents =
  '`deposit.created`, `deposit.authorized`, `deposit.partially_captured`, `deposit.captured`, `deposit.released`, ' +
  '`deposit.expired`, `deposit.failed`';
const depositVerbs = '`authorize`, `decline`, `capture`, `release`, `expire`, `fault`';
const faultYaml = (options: string): string =>
  depositYaml(steps(`do: fault\n    with: { effect: receiver-fails, ${options} }`));

/** YAML mapping of each letter to a list of two: strings for `a`, and aliases of the previous list for the others. */
const exponentialAliases = [...'abcdefghijklmnopqrstuvwxyz']
  .map((letter, index, letters) => {
    const element = index === 0 ? 'x' : `*${letters[index - 1]}`;
    return `${letter}: &${letter} [${element}, ${element}]`;
  })
  .join('\n');

describe('a scenario file', () => {
  it('is compiled to a scenario with durations in milliseconds', async () => {
    const text = `
name: authorize-then-expire
description: The guest authorizes, nothing is captured, and the hold expires.
for: deposit
trigger:
  event: deposit.created
  match: { booking_reference: "EXPIRE-*", metadata: { room: "7", a/b~c: "*" } }
steps:
  - { after: 2m, do: authorize }
  - { after: 2h 30m, do: capture, with: { amount: 50, description: Minibar } }
  - { after: P8D, do: release, with: {} }
  - { after: 0, do: fault, with: { effect: receiver-fails=500, times: 2 } }
  - do: expire
`;
    expect(await parseScenario(text, 'x.yaml')).toStrictEqual({
      name: 'authorize-then-expire',
      description: 'The guest authorizes, nothing is captured, and the hold expires.',
      for: 'deposit',
      trigger: {
        event: 'deposit.created',
        match: { booking_reference: 'EXPIRE-*', metadata: { room: '7', 'a/b~c': '*' } },
      },
      steps: [
        { after: 2 * minuteMs, do: 'authorize', with: {} },
        { after: 150 * minuteMs, do: 'capture', with: { amount: 50, description: 'Minibar' } },
        { after: 8 * dayMs, do: 'release', with: {} },
        {
          after: 0,
          do: 'fault',
          with: { effect: 'receiver-fails=500', times: 2 },
          fault: { effects: [{ name: 'receiver-fails', status: 500 }], match: {}, times: 2, until: null, for: null },
        },
        { after: 0, do: 'expire', with: {} },
      ],
    });
  });

  it.each([
    ['deposit', 'event: deposit.failed', ['decline', 'release', 'expire', 'capture, with: { amount: 19.99 }']],
    ['invoice', 'event: invoice.created', ['send', 'view', 'pay, with: { amount: 0.01, method: card }', 'cancel']],
    ['invoice', 'event: invoice.created', ['finalize', 'send']],
    ['invoice', 'event: payment.succeeded', ['send', 'fail, with: { method: card }', 'view']],
    ['invoice', 'event: payment.succeeded\n  match: { description: "Invoice DEMO-*" }', ['view']],
    ['payment_link', 'event: payment_link.created', ['pay', 'pay, with: { outcome: pending }', 'fail']],
    ['payment_link', 'event: payment.succeeded', ['pay, with: { outcome: failed, method: card }', 'fail']],
    ['payment_link', 'event: payment.succeeded\n  match: { description: "Consulting *" }', ['fail']],
  ])('for %s, with the trigger %s, may have the steps %j', async (subject, trigger, stepTexts) => {
    const items = stepTexts.map((text) => `{ after: "0", do: ${text} }`);
    const text = scenarioYaml(subject, `trigger:\n  ${trigger}\n${steps(...items)}`);
    const scenario = await parseScenario(text, 'x.yaml');
    expect(scenario.steps.map((step) => step.do)).toEqual(stepTexts.map((step) => step.split(',')[0]));
  });

  it('may be JSON, with tabs, Windows line endings and a byte order mark', async () => {
    const value = parse(
      depositYaml(steps('{ after: 1d, do: capture, with: { description: "😀 \\u00e9 / \\"x\\"" } }')),
    );
    const scenario = compileScenario(value);
    for (const indentation of ['\t', 2, 0]) {
      const text = JSON.stringify(value, null, indentation);
      expect(await parseScenario(text, 'x.json')).toStrictEqual(scenario);
      expect(await parseScenario(`\uFEFF${text.replaceAll('\n', '\r\n')}`, 'x.json')).toStrictEqual(scenario);
    }
    expect(JSON.parse(JSON.stringify(scenario))).toStrictEqual(scenario);
  });

  it.each<[label: string, text: string, message: string]>([
    // YAML syntax.
    ['no content', '', '1: the file is empty'],
    ['only comments', '# nothing\n\n', '1: the file is empty'],
    ['a list at the top level', '\n- name: x', '2: must be a mapping, not a list'],
    ['a string at the top level', 'authorize', '1: must be a mapping, not a string'],
    ['null at the top level', '~', '1: must be a mapping, not null'],
    [
      'more than 100 kB',
      `${depositYaml(authorizeSteps)}\n#${'x'.repeat(100_000)}`,
      '1: the file is larger than 100 kB',
    ],
    ['50,000 letters of two bytes each', `#${'é'.repeat(50_000)}`, '1: the file is larger than 100 kB'],
    [
      'two documents',
      `${depositYaml(authorizeSteps)}\n---\nname: y`,
      '6: the file has more than one scenario; put each into a separate file',
    ],
    ['a duplicate key', `${depositYaml(authorizeSteps)}\nname: y`, '6: duplicate key `name`'],
    [
      'a duplicate key in a step',
      depositYaml(steps('do: expire', '{ do: expire, do: expire }')),
      '6: duplicate key `do`',
    ],
    ['a duplicate key in JSON', '{"name": "x",\n"name": "x"}', '2: duplicate key `name`'],
    [
      'a list that is not closed',
      'steps: [1,\n',
      '2: cannot parse the file: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      'a tab as indentation',
      'name: x\n\tfor: deposit',
      '2: cannot parse the file: Tabs are not allowed as indentation',
    ],
    ['a custom tag', depositYaml(steps('do: !verb authorize')), '5: cannot parse the file: Unresolved tag: !verb'],
    [
      'a YAML set',
      depositYaml(steps('do: authorize', '{ do: authorize, with: !!set { } }')),
      '6: cannot parse the file: Unresolved tag: tag:yaml.org,2002:set',
    ],
    [
      'an alias',
      depositYaml('steps: &s\n  - do: expire\n  - *s'),
      '6: aliases are not supported; write out the value of `*s`',
    ],
    [
      'an alias without an anchor',
      depositYaml('steps: *s'),
      '4: aliases are not supported; write out the value of `*s`',
    ],
    [
      'aliases that expand exponentially',
      exponentialAliases,
      '2: aliases are not supported; write out the value of `*a`',
    ],
    ['a list as a key', '[a]: 1', '1: cannot parse the file: With stringKeys, all keys must be strings'],
    ['a YAML 1.1 directive', '%YAML 1.1\n---\nname: yes', '3: `description`, `for` and `steps` are missing'],
    ...['[', '{a: ', '- ', '? ', '? - '].map((opening): [string, string, string] => [
      `100 kB of "${opening}"`,
      opening.repeat(100_000 / opening.length),
      '1: the file is nested more than 20 levels deep',
    ]),

    // The keys of the file.
    ['no name', depositYaml(authorizeSteps).replace('name: x\n', ''), '1: `name` is missing'],
    ['no steps', depositYaml(''), '1: `steps` is missing'],
    ['a misspelled key', depositYaml('stpes:\n  - do: authorize'), '4: unknown key `stpes`; did you mean `steps`?'],
    [
      'an unknown key',
      `${depositYaml(authorizeSteps)}\nwhen: now`,
      '6: unknown key `when`; available: `name`, `description`, `for`, `trigger`, `steps`',
    ],
    [
      '__proto__',
      `__proto__: { name: x }\n${depositYaml(authorizeSteps)}`,
      '1: unknown key `__proto__`; available: `name`, `description`, `for`, `trigger`, `steps`',
    ],
    [
      'a YAML merge key',
      `<<: { name: x }\n${depositYaml(authorizeSteps)}`,
      '1: unknown key `<<`; available: `name`, `description`, `for`, `trigger`, `steps`',
    ],
    [
      'a name with capital letters and a space',
      withName('No Show'),
      '1: name: `No Show` is not a valid name; use 1 to 63 lowercase letters, digits and hyphens, beginning with a letter or digit',
    ],
    [
      'an empty name',
      withName('""'),
      '1: name: `` is not a valid name; use 1 to 63 lowercase letters, digits and hyphens, beginning with a letter or digit',
    ],
    [
      'a long name',
      withName('x'.repeat(64)),
      `1: name: \`${'x'.repeat(64)}\` is not a valid name; use 1 to 63 lowercase letters, digits and hyphens, beginning with a letter or digit`,
    ],
    [
      'a very long name',
      withName('x'.repeat(999)),
      `1: name: \`${'x'.repeat(80)}…\` is not a valid name; use 1 to 63 lowercase letters, digits and hyphens, beginning with a letter or digit`,
    ],
    [
      'a name with a line break',
      withName('"a\\nb"'),
      '1: name: `a b` is not a valid name; use 1 to 63 lowercase letters, digits and hyphens, beginning with a letter or digit',
    ],
    ['a name that is a number', withName('7'), '1: name: must be a string, not the number 7'],
    ['a name that is a list', withName('[x]'), '1: name: must be a string, not a list'],
    ['no description', withDescription(''), '2: description: must be a string, not null'],
    ['an empty description', withDescription('""'), '2: description: must not be empty'],
    ['a long description', withDescription('x'.repeat(201)), '2: description: must have at most 200 characters'],
    [
      'a misspelled subject',
      scenarioYaml('deposits', authorizeSteps),
      '3: unknown subject `deposits`; did you mean `deposit`?',
    ],
    [
      'a subject that scenarios do not support',
      scenarioYaml('customer', authorizeSteps),
      '3: unknown subject `customer`; available: `deposit`, `invoice`, `payment_link`',
    ],
    [
      'a subject that is not a string',
      scenarioYaml('true', authorizeSteps),
      '3: for: must be `deposit`, `invoice` or `payment_link`, not true',
    ],

    // The trigger.
    [
      'a trigger that is a string',
      depositYaml(`trigger: deposit.created\n${authorizeSteps}`),
      '4: trigger: must be a mapping, not a string',
    ],
    [
      'a trigger with an empty match',
      depositYaml(`trigger:\n  match: {}\n${authorizeSteps}`),
      '5: trigger.match: must not be empty',
    ],
    [
      'a trigger without an event',
      depositYaml(`trigger:\n  match: { booking_reference: "*" }\n${authorizeSteps}`),
      '4: trigger: `event` is missing',
    ],
    [
      'a misspelled event',
      depositYaml(`trigger:\n  event: deposit.create\n${authorizeSteps}`),
      '5: trigger: unknown event `deposit.create`; did you mean `deposit.created`?',
    ],
    [
      'an event of payments for a deposit',
      depositYaml(`trigger:\n  event: payment.succeeded\n${authorizeSteps}`),
      `5: trigger: unknown event \`payment.succeeded\`; available: ${depositEvents}`,
    ],
    [
      'an event of deposits for an invoice',
      scenarioYaml('invoice', `trigger:\n  event: deposit.created\n${steps('do: send')}`),
      '5: trigger: unknown event `deposit.created`; did you mean `invoice.created`?',
    ],
    [
      'an event of invoices for a payment link',
      scenarioYaml('payment_link', `trigger: { event: invoice.created }\n${steps('do: pay')}`),
      '4: trigger: unknown event `invoice.created`; available: `payment_link.created`, `payment.succeeded`',
    ],
    [
      'a misspelled key in the trigger',
      depositYaml(`trigger: { event: deposit.created, mach: {} }\n${authorizeSteps}`),
      '4: trigger: unknown key `mach`; did you mean `match`?',
    ],
    [
      'a match for a field that deposits do not have',
      depositYaml(`trigger: { event: deposit.created, match: { description: x } }\n${authorizeSteps}`),
      '4: trigger.match: unknown key `description`; available: `booking_reference`, `metadata`',
    ],
    [
      'a match for a field that payment links do not have',
      scenarioYaml(
        'payment_link',
        `trigger: { event: payment_link.created, match: { metadata: {} } }\n${steps('do: pay')}`,
      ),
      '4: trigger.match: unknown key `metadata`; available: `description`',
    ],
    [
      'a match for a field that invoices do not have',
      scenarioYaml('invoice', `trigger: { event: invoice.created, match: { description: x } }\n${steps('do: send')}`),
      '4: trigger.match: unknown key `description`; none are available here',
    ],
    [
      'a number in a match',
      depositYaml(`trigger:\n  event: deposit.created\n  match:\n    metadata:\n      room: 7\n${authorizeSteps}`),
      '8: trigger.match.metadata.room: must be a string, not the number 7',
    ],
    [
      'a number in a match under a key that is a duration elsewhere',
      depositYaml(`trigger: { event: deposit.created, match: { metadata: { after: 7 } } }\n${authorizeSteps}`),
      '4: trigger.match.metadata.after: must be a string, not the number 7',
    ],
    [
      '__proto__ in a match',
      depositYaml(`trigger:\n  event: deposit.created\n  match:\n    metadata:\n      __proto__: x\n${authorizeSteps}`),
      '8: trigger.match.metadata: `__proto__` is not a valid key',
    ],
    [
      'a match for a key that is too long',
      depositYaml(
        `trigger:\n  event: deposit.created\n  match: { metadata: { ${'k'.repeat(41)}: x } }\n${authorizeSteps}`,
      ),
      `6: trigger.match.metadata: the key \`${'k'.repeat(41)}\` must have at most 40 characters`,
    ],
    [
      'an empty pattern in a match',
      depositYaml(`trigger: { event: deposit.created, match: { booking_reference: "" } }\n${authorizeSteps}`),
      '4: trigger.match.booking_reference: must not be empty',
    ],

    // The steps.
    ['steps that are a mapping', depositYaml('steps:\n  do: authorize'), '4: steps: must be a list, not a mapping'],
    ['an empty list of steps', depositYaml('steps: []'), '4: steps: must not be empty'],
    ['101 steps', depositYaml(steps(...Array(101).fill('do: expire'))), '4: steps: must have at most 100 items'],
    [
      'a step that is a string',
      depositYaml(steps('do: authorize', 'capture')),
      '6: step 2: must be a mapping, not a string',
    ],
    ['an empty step', depositYaml(steps('do: authorize', '')), '6: step 2: must be a mapping, not null'],
    ['a step without a verb', depositYaml(steps('do: authorize', 'after: 2m')), '6: step 2: `do` is missing'],
    [
      'a misspelled verb',
      depositYaml(steps('do: decline', 'after: 2m\n    do: authorise')),
      '7: step 2: unknown verb `authorise`; did you mean `authorize`?',
    ],
    [
      'a verb of invoices for a deposit',
      depositYaml(steps('do: pay')),
      `5: step 1: unknown verb \`pay\`; available: ${depositVerbs}`,
    ],
    [
      'a verb of deposits for an invoice',
      scenarioYaml('invoice', steps('do: authorize')),
      '5: step 1: unknown verb `authorize`; available: `finalize`, `send`, `view`, `pay`, `fail`, `cancel`, `fault`',
    ],
    [
      'a verb of invoices for a payment link',
      scenarioYaml('payment_link', steps('do: send')),
      '5: step 1: unknown verb `send`; available: `pay`, `fail`, `fault`',
    ],
    [
      'a verb that is a number',
      depositYaml(steps('do: 5')),
      '5: step 1: do: must be `authorize`, `decline`, `capture`, `release`, `expire` or `fault`, not the number 5',
    ],
    [
      'a misspelled key in a step',
      depositYaml(steps('do: authorize\n    afer: 2m')),
      '6: step 1: unknown key `afer`; did you mean `after`?',
    ],
    [
      '`with` that is not a mapping',
      depositYaml(steps('do: capture\n    with: 50')),
      '6: step 1: with: must be a mapping, not the number 50',
    ],
    [
      '`with` for a verb without options',
      depositYaml(steps('do: authorize\n    with: { amount: 50 }')),
      '6: step 1: with: unknown key `amount`; none are available here',
    ],
    [
      '__proto__ in `with`',
      depositYaml(steps('do: authorize\n    with: { __proto__: 50 }')),
      '6: step 1: with: unknown key `__proto__`; none are available here',
    ],
    [
      'a misspelled key in `with`',
      depositYaml(steps('{ do: capture, with: { amuont: 50 } }')),
      '5: step 1: with: unknown key `amuont`; did you mean `amount`?',
    ],
    [
      'a capture of 0',
      depositYaml(steps('{ do: capture, with: { amount: 0 } }')),
      '5: step 1: with.amount: must be more than 0',
    ],
    [
      'a capture with more decimal places than any currency',
      depositYaml(steps('{ do: capture, with: { amount: 19.9999 } }')),
      '5: step 1: with.amount: must have at most 3 decimal places',
    ],
    [
      'a capture of more than the largest amount',
      depositYaml(steps('{ do: capture, with: { amount: 1e13 } }')),
      '5: step 1: with.amount: must be 9999999999999.99 or less',
    ],
    [
      'a capture of infinity',
      depositYaml(steps('{ do: capture, with: { amount: .inf } }')),
      '5: step 1: with.amount: must be a number, not the number Infinity',
    ],
    [
      'a capture of the whole as a share',
      depositYaml(steps('{ do: capture, with: { share: 1 } }')),
      '5: step 1: with.share: must be less than 1',
    ],
    [
      'a capture of an amount and a share',
      depositYaml(steps('{ do: capture, with: { amount: 5, share: 0.1 } }')),
      '5: step 1: with: unknown key `amount`; available: `share`, `description`',
    ],
    [
      'a capture of a string',
      depositYaml(steps('{ do: capture, with: { amount: "50" } }')),
      '5: step 1: with.amount: must be a number, not a string',
    ],
    [
      'an empty payment method',
      scenarioYaml('invoice', steps('{ do: pay, with: { method: "" } }')),
      '5: step 1: with.method: must not be empty',
    ],
    [
      'a misspelled outcome',
      scenarioYaml('payment_link', steps('{ do: pay, with: { outcome: payed } }')),
      '5: step 1: with: unknown outcome `payed`; did you mean `paid`?',
    ],
    [
      'an amount for a payment link',
      scenarioYaml('payment_link', steps('{ do: pay, with: { amount: 5 } }')),
      '5: step 1: with: unknown key `amount`; available: `outcome`, `method`',
    ],
    ['a fault without `with`', depositYaml(steps('do: fault')), '5: step 1: `with` is missing'],
    [
      '`with` misspelled',
      depositYaml(steps('do: fault\n    wiht: {}')),
      '6: step 1: unknown key `wiht`; did you mean `with`?',
    ],
    [
      'a fault without an effect',
      depositYaml(steps('do: fault\n    with: { times: 1 }')),
      '6: step 1: with: `effect` is missing',
    ],
    ['a misspelled key in a fault', faultYaml('tmes: 1'), '6: step 1: with: unknown key `tmes`; did you mean `times`?'],
    ['a fault that fires 0 times', faultYaml('times: 0'), '6: step 1: with: times: must be 1 or more'],
    [
      'a fault that fires 1.5 times',
      faultYaml('times: 1.5'),
      '6: step 1: with: times: must be a whole number, not the number 1.5',
    ],
    [
      'a fault for an invalid duration',
      faultYaml('for: soon'),
      '6: step 1: with: for: `soon` is not a duration (for example 30s, 2h or 8d)',
    ],
    [
      'a misspelled effect',
      depositYaml(steps('{ do: fault, with: { effect: reciever-fails, times: 1 } }')),
      '5: step 1: with: unknown effect `reciever-fails`; did you mean `receiver-fails`?',
    ],
    [
      'a fault with a status above 599',
      depositYaml(steps('do: fault\n    with:\n      effect:\n        - { name: receiver-fails, status: 600 }')),
      '8: step 1: with: receiver-fails.status: must be 599 or less',
    ],
    [
      'a fault on a misspelled operation',
      depositYaml(
        steps(
          'do: authorize',
          'do: fault\n    with:\n      effect: reset\n      match:\n        operation: createDepost',
        ),
      ),
      '10: step 2: with: match: unknown operation `createDepost`; did you mean `createDeposit`?',
    ],
    [
      'a match of a fault that is not a mapping',
      faultYaml('match: 5'),
      '6: step 1: with.match: must be a mapping, not the number 5',
    ],

    // Durations, and rules for the file as a whole.
    [
      'an invalid duration',
      depositYaml(steps('do: authorize', 'do: expire\n    after: soon')),
      `7: step 2: after: \`soon\` ${invalidDuration}`,
    ],
    [
      'a duration without a unit',
      depositYaml(steps('{ after: 120, do: expire }')),
      `5: step 1: after: the number 120 ${invalidDuration}`,
    ],
    [
      'a negative duration',
      depositYaml(steps('{ after: -2m, do: expire }')),
      `5: step 1: after: \`-2m\` ${invalidDuration}`,
    ],
    ['an empty duration', depositYaml(steps('{ after: , do: expire }')), `5: step 1: after: null ${invalidDuration}`],
    [
      'a duration that is a mapping',
      depositYaml(steps('{ after: { m: 2 }, do: expire }')),
      `5: step 1: after: a mapping ${invalidDuration}`,
    ],
    [
      'a duration in years',
      depositYaml(steps('{ after: 1001y, do: expire }')),
      `5: step 1: after: \`1001y\` ${invalidDuration}; months and years differ in length, so write them in days`,
    ],
    [
      'a very long text as a duration',
      depositYaml(steps(`{ after: ${'1d '.repeat(50)}, do: expire }`)),
      `5: step 1: after: \`${'1d '.repeat(27).slice(0, 80)}…\` ${invalidDuration}`,
    ],
    [
      'durations of 600 years, 400 years and a day',
      depositYaml(
        steps('{ after: 219145d, do: expire }', '{ after: 146097d, do: expire }', 'do: expire\n    after: 1d'),
      ),
      '8: step 3: after: the steps take more than 1,000 years in all',
    ],
    [
      'an invoice that is paid again and again',
      scenarioYaml('invoice', `trigger: { event: payment.succeeded }\n${steps('do: pay')}`),
      '6: step 1 (pay) causes payment.succeeded, which starts this scenario again: it would never end',
    ],
    [
      'a payment link that is paid again and again',
      scenarioYaml(
        'payment_link',
        `trigger: { event: payment.succeeded }\n${steps('do: fail', '{ do: pay, with: { outcome: failed } }', 'after: 8d\n    do: pay')}`,
      ),
      '8: step 3 (pay) causes payment.succeeded, which starts this scenario again: it would never end',
    ],
  ])('with %s is rejected with the line and the reason', async (_label, text, message) => {
    expect(await fileErrorMessage(parseScenario(text, './x.yaml'))).toBe(`./x.yaml:${message}`);
  });

  it('of random YAML tokens is rejected with a line number', async () => {
    const token = fc.constantFrom(
      ...[
        'name: x\n',
        'for: deposit\n',
        'steps:\n',
        '  - do: ',
        'authorize',
        '\n',
        ' ',
        '\t',
        '- ',
        '? ',
        ': ',
        '"',
        "'",
        '|',
        '>',
      ],
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        '&a ',
        '*a',
        '!!set ',
        '#',
        '%YAML 1.1\n',
        '---\n',
        '__proto__',
        '\0',
        '\uD800',
        '1e999',
        '<<: ',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(token, { maxLength: 40 }), async (tokens) => {
        const message = await fileErrorMessage(parseScenario(tokens.join(''), 'x.yaml'));
        expect(message).toMatch(/^x\.yaml:\d+: [^\n]+$/);
      }),
      { numRuns: 500 },
    );
  });

  it('of almost 100 kB with thousands of keys or items is rejected', async () => {
    const keys = Array.from({ length: 11_000 }, (_, index) => `k${index}: 1`).join('\n');
    const message = await fileErrorMessage(parseScenario(keys, 'x.yaml'));
    expect(message).toMatch(/^x\.yaml:1: unknown key `k0`; available: /);
    const manySteps = depositYaml(`steps: [${'{do: expire},'.repeat(7_000)}]`);
    expect(await fileErrorMessage(parseScenario(manySteps, 'x.yaml'))).toBe(
      'x.yaml:4: steps: must have at most 100 items',
    );
  });

  it('that does not exist, or is a folder, cannot be read', async () => {
    const directory = tempFolder();
    expect(await fileErrorMessage(readScenario(join(directory, 'no.yaml')))).toMatch(
      /^cannot read .+no\.yaml: no such file; check the path$/,
    );
    expect(await fileErrorMessage(readScenario(directory))).toMatch(
      /^cannot read .+: it is a folder; give the path of a file$/,
    );
  });

  it('that is not UTF-8 cannot be read', async () => {
    const path = join(tempFolder(), 'x.yaml');
    writeFileSync(path, `${depositYaml(authorizeSteps)}# für Zoë`, 'latin1');
    expect(await fileErrorMessage(readScenario(path))).toBe(`cannot read ${path}: the file is not UTF-8`);
  });

  it('of 100 kB is read, and a larger one is rejected', async () => {
    const path = join(tempFolder(), 'x.yaml');
    const text = `${depositYaml(authorizeSteps)}\n#`;
    for (const mark of ['', '\uFEFF']) {
      writeFileSync(path, mark + text.padEnd(100_000, '-'));
      expect((await readScenario(path)).name).toBe('x');
      // Only the beginning of the last file is read, up to the middle of a character.
      for (const tooLong of [text.padEnd(100_001, '-'), text.padEnd(300_000, '-'), text.padEnd(300_000, 'ä')]) {
        writeFileSync(path, mark + tooLong);
        expect(await fileErrorMessage(readScenario(path))).toBe(`${path}:1: the file is larger than 100 kB`);
      }
    }
  });
});

describe('several scenario files', () => {
  it('are read in the given order, as YAML or JSON', async () => {
    const directory = tempFolder();
    const paths = ['c.yaml', 'a.json'].map((name) => join(directory, name));
    writeFileSync(paths[0] ?? '', withName('first'));
    writeFileSync(paths[1] ?? '', JSON.stringify(parse(withName('second'))));
    expect((await readScenarios(paths)).map(({ name }) => name)).toEqual(['first', 'second']);
  });

  it('with the same name are rejected', async () => {
    const directory = tempFolder();
    const paths = ['a.yml', 'b.yaml'].map((name) => join(directory, name));
    for (const path of paths) writeFileSync(path, withName('first'));
    expect(await fileErrorMessage(readScenarios(paths))).toBe(
      `${paths[1]}: the scenario \`first\` is already defined in ${paths[0]}`,
    );
  });

  it('in fixtures/ contain the scenarios that the build has put into the package', async () => {
    const scenarios = await readScenarios(scenarioFilesIn(builtInFolder));
    expect(scenarios).toStrictEqual(builtInScenarios);
    expect(scenarios.map(({ name }) => name)).toEqual([
      'authorize-then-expire',
      'capture-at-the-last-minute',
      'decline',
      'flaky-receiver',
      'late-payment',
      'no-show',
      'partial-capture-then-release',
    ]);
    for (const { name, trigger } of scenarios) {
      // Built-in scenarios run only on request.
      expect(trigger).toBeUndefined();
      expect(readFileSync(join(builtInFolder, `${name}.yaml`), 'utf8')).toMatch(`name: ${name}\n`);
    }
  });
});

describe('the schema of scenario files', () => {
  const schema = JSON.parse(readFileSync(join(builtInFolder, 'scenario.schema.json'), 'utf8'));

  it.each(['deposit', 'invoice', 'payment_link'] as const)('lists the verbs for %s', (subject) => {
    const availableVerbs = Object.entries(verbs)
      .filter(([, actions]) => actions[subject])
      .map(([name]) => name);
    expect([...schema.$defs[`${subject}_step`].properties.do.enum].sort()).toEqual(availableVerbs.sort());
  });
});

describe('a scenario given as an object', () => {
  const value = { name: 'x', description: 'An example.', for: 'deposit', steps: [{ after: '1h', do: 'authorize' }] };

  it('is compiled to the same scenario as its file', async () => {
    const scenario = compileScenario(value);
    expect(await parseScenario(stringify(value), 'x.yaml')).toStrictEqual(scenario);
    expect(await parseScenario(JSON.stringify(value), 'x.json')).toStrictEqual(scenario);
  });

  it('is not changed, and can be changed later without effect', () => {
    const source = structuredClone({
      ...value,
      trigger: { event: 'deposit.created', match: { metadata: { a: 'b' } } },
    });
    const before = structuredClone(source);
    const scenario = compileScenario(source);
    expect(source).toStrictEqual(before);
    source.trigger.match.metadata.a = 'c';
    expect(scenario.trigger?.match?.metadata).toEqual({ a: 'b' });
  });

  it.each<[unknown, string, string[]]>([
    [undefined, 'must be a mapping, not undefined', []],
    [null, 'must be a mapping, not null', []],
    [[value], 'must be a mapping, not a list', []],
    [{ ...value, for: 'guest' }, 'unknown subject `guest`; available: `deposit`, `invoice`, `payment_link`', ['for']],
    [
      { ...value, steps: [{ do: 'expier' }] },
      'step 1: unknown verb `expier`; did you mean `expire`?',
      ['steps', '0', 'do'],
    ],
    [
      JSON.parse('{"name":"x","description":"d","for":"deposit","steps":[{"do":"expire"}],"__proto__":{"trigger":1}}'),
      'unknown key `__proto__`; available: `name`, `description`, `for`, `trigger`, `steps`',
      ['__proto__'],
    ],
  ])('%j is rejected with a message and a path', (scenario, message, path) => {
    expect(compileErrorMessage(scenario)).toBe(message);
    expect(() => compileScenario(scenario)).toThrow(expect.objectContaining({ name: 'ScenarioError', path }));
  });

  it('that is nested 50,000 levels deep is rejected without a stack overflow', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(compileErrorMessage(deep)).toBe('must be a mapping, not a list');
    expect(compileErrorMessage({ ...value, steps: deep })).toBe('step 1: must be a mapping, not a list');
    expect(compileErrorMessage({ ...value, deep })).toMatch(/^unknown key `deep`/);
  });
});

describe('the check that the steps of a scenario do not cause its own trigger', () => {
  const untriggered = { name: 'a', description: 'An example.', for: 'payment_link' };
  const onPayment = { ...untriggered, trigger: { event: 'payment.succeeded' } };
  const onInvoicePayment = { ...onPayment, for: 'invoice' };
  const loopError = (step: number): string =>
    `step ${step} (pay) causes payment.succeeded, which starts this scenario again: it would never end`;

  it.each<[string, object]>([
    ['has no trigger', { ...untriggered, steps: [{ do: 'pay' }] }],
    [
      'is triggered by the creation of an invoice',
      { ...onInvoicePayment, trigger: { event: 'invoice.created' }, steps: [{ do: 'pay' }] },
    ],
    ['lets the payment fail', { ...onPayment, steps: [{ do: 'pay', with: { outcome: 'failed' } }] }],
    ['leaves the payment pending', { ...onPayment, steps: [{ do: 'pay', with: { outcome: 'pending' } }] }],
  ])('accepts a scenario that %s', (_label, scenario) => {
    expect(() => compileScenario(scenario)).not.toThrow();
  });

  it.each<[string, object, number]>([
    [
      'pays an invoice in its last step',
      { ...onInvoicePayment, steps: [{ do: 'send' }, { do: 'view' }, { do: 'pay' }] },
      3,
    ],
    ['pays an invoice in its first step', { ...onInvoicePayment, steps: [{ do: 'pay' }] }, 1],
    ['pays a link', { ...onPayment, steps: [{ do: 'pay' }] }, 1],
    [
      'pays a link after a payment that fails',
      { ...onPayment, steps: [{ do: 'fail' }, { do: 'pay', with: { outcome: 'paid' } }] },
      2,
    ],
  ])('rejects a scenario that %s', (_label, scenario, step) => {
    expect(compileErrorMessage(scenario)).toBe(loopError(step));
  });
});
