import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  compileScenario,
  parseScenario,
  readScenario,
  readScenarioFolder,
  ScenarioError,
} from '../src/files/scenario-files.js';
import { FileError } from '../src/files/seed-file.js';
import { shippedScenarios } from '../src/generated/scenarios.js';
import { verbs } from '../src/simulation/scenarios/verbs/index.js';
import { tempFolder } from './support/temp-folder.js';

const folder = fileURLToPath(new URL('../fixtures/scenarios', import.meta.url));
const minute = 60_000;
const day = 1_440 * minute;

/** A scenario file with its first three lines in place; what follows begins in line 4. */
const file = (kind: string, rest: string): string => `name: x\ndescription: An example.\nfor: ${kind}\n${rest}`;
const deposit = (rest: string): string => file('deposit', rest);
const steps = (...lines: string[]): string => ['steps:', ...lines.map((line) => `  - ${line}`)].join('\n');
const authorize = steps('do: authorize');

async function messageOf(result: Promise<unknown>): Promise<string> {
  const error: unknown = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof FileError)) throw new Error(`no FileError, but ${error}`);
  return error.message;
}

function refusalOf(value: unknown): string {
  try {
    compileScenario(value);
  } catch (error) {
    if (error instanceof ScenarioError) return error.message;
    throw error;
  }
  throw new Error('the value was taken');
}

const duration = 'is not a duration of up to 1,000 years (for example 2m, 2h 30m, 8d or P8D)';
const depositEvents =
  '`deposit.created`, `deposit.authorized`, `deposit.partially_captured`, `deposit.captured`, `deposit.released`, ' +
  '`deposit.expired`, `deposit.failed`';
const depositVerbs = '`authorize`, `decline`, `capture`, `release`, `expire`, `fault`';
const fault = (rest: string): string => deposit(steps(`do: fault\n    with: { effect: receiver-fails, ${rest} }`));

describe('a scenario file', () => {
  it('becomes a scenario with its durations in milliseconds', async () => {
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
        { after: 2 * minute, do: 'authorize', with: {} },
        { after: 150 * minute, do: 'capture', with: { amount: 50, description: 'Minibar' } },
        { after: 8 * day, do: 'release', with: {} },
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
    ['invoice', 'event: payment.succeeded', ['send', 'fail, with: { method: card }', 'view']],
    ['invoice', 'event: payment.succeeded\n  match: { description: "Invoice DEMO-*" }', ['view']],
    ['payment_link', 'event: payment_link.created', ['pay', 'pay, with: { outcome: pending }', 'fail']],
    ['payment_link', 'event: payment.succeeded', ['pay, with: { outcome: failed, method: card }', 'fail']],
    ['payment_link', 'event: payment.succeeded\n  match: { description: "Consulting *" }', ['fail']],
  ])('for %s, with %s, takes %j', async (kind, trigger, verbs) => {
    const text = file(kind, `trigger:\n  ${trigger}\n${steps(...verbs.map((verb) => `{ after: "0", do: ${verb} }`))}`);
    const scenario = await parseScenario(text, 'x.yaml');
    expect(scenario.steps.map((step) => step.do)).toEqual(verbs.map((verb) => verb.split(',')[0]));
  });

  it('may be JSON, with tabs, Windows line ends and a byte order mark', async () => {
    const value = parse(deposit(steps('{ after: 1d, do: capture, with: { description: "😀 \\u00e9 / \\"x\\"" } }')));
    const scenario = compileScenario(value);
    for (const space of ['\t', 2, 0]) {
      const text = JSON.stringify(value, null, space);
      expect(await parseScenario(text, 'x.json')).toStrictEqual(scenario);
      expect(await parseScenario(`\uFEFF${text.replaceAll('\n', '\r\n')}`, 'x.json')).toStrictEqual(scenario);
    }
    expect(JSON.parse(JSON.stringify(scenario))).toStrictEqual(scenario);
  });

  it.each<[what: string, text: string, message: string]>([
    // YAML syntax.
    ['nothing', '', '1: the file is empty'],
    ['comments only', '# nothing\n\n', '1: the file is empty'],
    ['a list', '\n- name: x', '2: must be a mapping, not a list'],
    ['a text', 'authorize', '1: must be a mapping, not a string'],
    ['null', '~', '1: must be a mapping, not nothing'],
    ['more than 100 kB', `${deposit(authorize)}\n#${'x'.repeat(100_000)}`, '1: the file is larger than 100 kB'],
    ['100 kB of two-byte letters', `#${'é'.repeat(50_000)}`, '1: the file is larger than 100 kB'],
    [
      'two documents',
      `${deposit(authorize)}\n---\nname: y`,
      '6: the file has more than one scenario; put each into a file of its own',
    ],
    ['a key twice', `${deposit(authorize)}\nname: y`, '6: duplicate key `name`'],
    ['a key twice in a step', deposit(steps('do: expire', '{ do: expire, do: expire }')), '6: duplicate key `do`'],
    ['a key twice in JSON', '{"name": "x",\n"name": "x"}', '2: duplicate key `name`'],
    [
      'a torn list',
      'steps: [1,\n',
      '2: cannot parse the file: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['a tab', 'name: x\n\tfor: deposit', '2: cannot parse the file: Tabs are not allowed as indentation'],
    ['a tag', deposit(steps('do: !verb authorize')), '5: cannot parse the file: Unresolved tag: !verb'],
    [
      'a set',
      deposit(steps('do: authorize', '{ do: authorize, with: !!set { } }')),
      '6: cannot parse the file: Unresolved tag: tag:yaml.org,2002:set',
    ],
    [
      'an alias',
      deposit('steps: &s\n  - do: expire\n  - *s'),
      '6: aliases are not supported; write out the value of `*s`',
    ],
    ['an alias of nothing', deposit('steps: *s'), '4: aliases are not supported; write out the value of `*s`'],
    [
      'a bomb of aliases',
      `a: &a [x, x]\n${[...'bcdefghijklmnopqrstuvwxyz'].map((letter, i) => `${letter}: &${letter} [*${'abcdefghijklmnopqrstuvwxyz'[i]}, *${'abcdefghijklmnopqrstuvwxyz'[i]}]`).join('\n')}`,
      '2: aliases are not supported; write out the value of `*a`',
    ],
    ['a list as a key', '[a]: 1', '1: cannot parse the file: With stringKeys, all keys must be strings'],
    ['the YAML of 2005', '%YAML 1.1\n---\nname: yes', '3: `description` is missing'],
    ...['[', '{a: ', '- ', '? ', '? - '].map((deep): [string, string, string] => [
      `many times ${deep}`,
      deep.repeat(100_000 / deep.length),
      '1: the file is nested more than 20 levels deep',
    ]),

    // The frame.
    ['no name', deposit(authorize).slice(8), '1: `name` is missing'],
    ['no steps', deposit(''), '1: `steps` is missing'],
    ['a slip in a key', deposit('stpes:\n  - do: authorize'), '4: unknown key `stpes`; did you mean `steps`?'],
    [
      'an unknown key',
      `${deposit(authorize)}\nwhen: now`,
      '6: unknown key `when`; available: `name`, `description`, `for`, `trigger`, `steps`',
    ],
    [
      '__proto__',
      `__proto__: { name: x }\n${deposit(authorize)}`,
      '1: unknown key `__proto__`; available: `name`, `description`, `for`, `trigger`, `steps`',
    ],
    [
      'a merge',
      `<<: { name: x }\n${deposit(authorize)}`,
      '1: unknown key `<<`; available: `name`, `description`, `for`, `trigger`, `steps`',
    ],
    [
      'a name in capitals',
      deposit(authorize).replace('x', 'No Show'),
      '1: name: `No Show` is not a valid name; use up to 63 lower-case letters, digits and hyphens',
    ],
    [
      'an empty name',
      deposit(authorize).replace('x', '""'),
      '1: name: `` is not a valid name; use up to 63 lower-case letters, digits and hyphens',
    ],
    [
      'a long name',
      deposit(authorize).replace('x', 'x'.repeat(64)),
      `1: name: \`${'x'.repeat(64)}\` is not a valid name; use up to 63 lower-case letters, digits and hyphens`,
    ],
    [
      'a very long name',
      deposit(authorize).replace('x', 'x'.repeat(999)),
      `1: name: \`${'x'.repeat(80)}…\` is not a valid name; use up to 63 lower-case letters, digits and hyphens`,
    ],
    [
      'a name of two lines',
      deposit(authorize).replace('x', '"a\\nb"'),
      '1: name: `a b` is not a valid name; use up to 63 lower-case letters, digits and hyphens',
    ],
    ['a name that is a number', deposit(authorize).replace('x', '7'), '1: name: must be a string, not the number 7'],
    ['a name that is a list', deposit(authorize).replace('x', '[x]'), '1: name: must be a string, not a list'],
    ['no description', deposit(authorize).replace('An example.', ''), '2: description: must be a string, not nothing'],
    ['an empty description', deposit(authorize).replace('An example.', '""'), '2: description: must not be empty'],
    [
      'a long description',
      deposit(authorize).replace('An example.', 'x'.repeat(201)),
      '2: description: must have at most 200 characters',
    ],
    ['an unknown subject', file('deposits', authorize), '3: unknown subject `deposits`; did you mean `deposit`?'],
    [
      'another subject',
      file('customer', authorize),
      '3: unknown subject `customer`; available: `deposit`, `invoice`, `payment_link`',
    ],
    ['a subject that is none', file('true', authorize), '3: for: must be a string, not true'],

    // The trigger.
    [
      'a trigger that is a text',
      deposit(`trigger: deposit.created\n${authorize}`),
      '4: trigger: must be a mapping, not a string',
    ],
    ['a trigger of nothing', deposit(`trigger:\n  match: {}\n${authorize}`), '5: trigger.match: must not be empty'],
    [
      'a trigger without event',
      deposit(`trigger:\n  match: { booking_reference: "*" }\n${authorize}`),
      '4: trigger: `event` is missing',
    ],
    [
      'an unknown event',
      deposit(`trigger:\n  event: deposit.create\n${authorize}`),
      '5: trigger: unknown event `deposit.create`; did you mean `deposit.created`?',
    ],
    [
      'the event of another subject',
      deposit(`trigger:\n  event: payment.succeeded\n${authorize}`),
      `5: trigger: unknown event \`payment.succeeded\`; available: ${depositEvents}`,
    ],
    [
      'the event of a deposit for an invoice',
      file('invoice', `trigger:\n  event: deposit.created\n${steps('do: send')}`),
      '5: trigger: unknown event `deposit.created`; did you mean `invoice.created`?',
    ],
    [
      'the event of an invoice for a link',
      file('payment_link', `trigger: { event: invoice.created }\n${steps('do: pay')}`),
      '4: trigger: unknown event `invoice.created`; available: `payment_link.created`, `payment.succeeded`',
    ],
    [
      'an unknown key in the trigger',
      deposit(`trigger: { event: deposit.created, mach: {} }\n${authorize}`),
      '4: trigger: unknown key `mach`; did you mean `match`?',
    ],
    [
      'a match that no deposit has',
      deposit(`trigger: { event: deposit.created, match: { description: x } }\n${authorize}`),
      '4: trigger.match: unknown key `description`; available: `booking_reference`, `metadata`',
    ],
    [
      'a match that no link has',
      file('payment_link', `trigger: { event: payment_link.created, match: { metadata: {} } }\n${steps('do: pay')}`),
      '4: trigger.match: unknown key `metadata`; available: `description`',
    ],
    [
      'a match that no invoice has',
      file('invoice', `trigger: { event: invoice.created, match: { description: x } }\n${steps('do: send')}`),
      '4: trigger.match: unknown key `description`; none are available here',
    ],
    [
      'a match of a number',
      deposit(`trigger:\n  event: deposit.created\n  match:\n    metadata:\n      room: 7\n${authorize}`),
      '8: trigger.match.metadata.room: must be a string, not the number 7',
    ],
    [
      'a match of a number that is not a duration',
      deposit(`trigger: { event: deposit.created, match: { metadata: { after: 7 } } }\n${authorize}`),
      '4: trigger.match.metadata.after: must be a string, not the number 7',
    ],
    [
      'a match of __proto__',
      deposit(`trigger:\n  event: deposit.created\n  match:\n    metadata:\n      __proto__: x\n${authorize}`),
      '8: trigger.match.metadata: `__proto__` cannot be matched',
    ],
    [
      'a match of an endless key',
      deposit(`trigger:\n  event: deposit.created\n  match: { metadata: { ${'k'.repeat(41)}: x } }\n${authorize}`),
      `6: trigger.match.metadata: \`${'k'.repeat(41)}\` cannot be matched`,
    ],
    [
      'a match of nothing',
      deposit(`trigger: { event: deposit.created, match: { booking_reference: "" } }\n${authorize}`),
      '4: trigger.match.booking_reference: must not be empty',
    ],

    // The steps.
    ['steps that are a mapping', deposit('steps:\n  do: authorize'), '4: steps: must be a list, not a mapping'],
    ['an empty list of steps', deposit('steps: []'), '4: steps: must not be empty'],
    ['101 steps', deposit(steps(...Array(101).fill('do: expire'))), '4: steps: must have at most 100 items'],
    [
      'a step that is a text',
      deposit(steps('do: authorize', 'capture')),
      '6: steps 2: must be a mapping, not a string',
    ],
    ['a step that is empty', deposit(steps('do: authorize', '')), '6: steps 2: must be a mapping, not nothing'],
    ['a step without verb', deposit(steps('do: authorize', 'after: 2m')), '6: steps 2: `do` is missing'],
    [
      'a slip in a verb',
      deposit(steps('do: decline', 'after: 2m\n    do: authorise')),
      '7: steps 2: unknown verb `authorise`; did you mean `authorize`?',
    ],
    ['a verb of invoices', deposit(steps('do: pay')), `5: steps 1: unknown verb \`pay\`; available: ${depositVerbs}`],
    [
      'a verb of deposits for an invoice',
      file('invoice', steps('do: authorize')),
      '5: steps 1: unknown verb `authorize`; available: `send`, `view`, `pay`, `fail`, `cancel`, `fault`',
    ],
    [
      'a verb of invoices for a link',
      file('payment_link', steps('do: send')),
      '5: steps 1: unknown verb `send`; available: `pay`, `fail`, `fault`',
    ],
    ['a verb that is a number', deposit(steps('do: 5')), '5: steps 1: do: must be a string, not the number 5'],
    [
      'an unknown key in a step',
      deposit(steps('do: authorize\n    afer: 2m')),
      '6: steps 1: unknown key `afer`; did you mean `after`?',
    ],
    [
      'with, not as a mapping',
      deposit(steps('do: capture\n    with: 50')),
      '6: steps 1: with: must be a mapping, not the number 50',
    ],
    [
      'with, where nothing is taken',
      deposit(steps('do: authorize\n    with: { amount: 50 }')),
      '6: steps 1: with: unknown key `amount`; none are available here',
    ],
    [
      '__proto__ in with',
      deposit(steps('do: authorize\n    with: { __proto__: 50 }')),
      '6: steps 1: with: unknown key `__proto__`; none are available here',
    ],
    [
      'a slip in with',
      deposit(steps('{ do: capture, with: { amuont: 50 } }')),
      '5: steps 1: with: unknown key `amuont`; did you mean `amount`?',
    ],
    [
      'a capture of 0',
      deposit(steps('{ do: capture, with: { amount: 0 } }')),
      '5: steps 1: with.amount: must be more than 0',
    ],
    [
      'a capture with more places than any currency has',
      deposit(steps('{ do: capture, with: { amount: 19.9999 } }')),
      '5: steps 1: with.amount: must have at most 3 decimal places',
    ],
    [
      'a capture of too much',
      deposit(steps('{ do: capture, with: { amount: 1e10 } }')),
      '5: steps 1: with.amount: must be 9999999999.99 or less',
    ],
    [
      'a capture without end',
      deposit(steps('{ do: capture, with: { amount: .inf } }')),
      '5: steps 1: with.amount: must be a number, not the number Infinity',
    ],
    [
      'a capture of a text',
      deposit(steps('{ do: capture, with: { amount: "50" } }')),
      '5: steps 1: with.amount: must be a number, not a string',
    ],
    [
      'a method that is empty',
      file('invoice', steps('{ do: pay, with: { method: "" } }')),
      '5: steps 1: with.method: must not be empty',
    ],
    [
      'an unknown outcome',
      file('payment_link', steps('{ do: pay, with: { outcome: payed } }')),
      '5: steps 1: with: unknown outcome `payed`; did you mean `paid`?',
    ],
    [
      'the amount of a link',
      file('payment_link', steps('{ do: pay, with: { amount: 5 } }')),
      '5: steps 1: with: unknown key `amount`; available: `outcome`, `method`',
    ],
    ['a fault without with', deposit(steps('do: fault')), '5: steps 1: `with` is missing'],
    [
      'a slip instead of with',
      deposit(steps('do: fault\n    wiht: {}')),
      '6: steps 1: unknown key `wiht`; available: `after`, `do`, `with`',
    ],
    [
      'a fault without effect',
      deposit(steps('do: fault\n    with: { times: 1 }')),
      '6: steps 1: with: `effect` is missing',
    ],
    ['a slip in a fault', fault('tmes: 1'), '6: steps 1: with: unknown key `tmes`; did you mean `times`?'],
    ['a fault that never happens', fault('times: 0'), '6: steps 1: with: times: must be 1 or more'],
    ['half a fault', fault('times: 1.5'), '6: steps 1: with: times: must be a whole number, not the number 1.5'],
    [
      'a fault for no time',
      fault('for: soon'),
      '6: steps 1: with: for: `soon` is not a duration (for example 30s, 2h or 8d)',
    ],
    [
      'an unknown fault',
      deposit(steps('{ do: fault, with: { effect: reciever-fails, times: 1 } }')),
      '5: steps 1: with: unknown effect `reciever-fails`; did you mean `receiver-fails`?',
    ],
    [
      'a fault beyond HTTP',
      deposit(steps('do: fault\n    with:\n      effect:\n        - { name: receiver-fails, status: 600 }')),
      '8: steps 1: with: receiver-fails.status: must be 599 or less',
    ],
    [
      'a fault on an unknown operation',
      deposit(
        steps(
          'do: authorize',
          'do: fault\n    with:\n      effect: reset\n      match:\n        operation: createDepost',
        ),
      ),
      '10: steps 2: with: match: unknown operation `createDepost`; did you mean `createDeposit`?',
    ],
    ['a match that is none', fault('match: 5'), '6: steps 1: with.match: must be a mapping, not the number 5'],

    // Rules that concern the whole file.
    [
      'a duration that is none',
      deposit(steps('do: authorize', 'do: expire\n    after: soon')),
      `7: steps 2: after: \`soon\` ${duration}`,
    ],
    [
      'a duration without unit',
      deposit(steps('{ after: 120, do: expire }')),
      `5: steps 1: after: the number 120 ${duration}`,
    ],
    ['a negative duration', deposit(steps('{ after: -2m, do: expire }')), `5: steps 1: after: \`-2m\` ${duration}`],
    ['no duration', deposit(steps('{ after: , do: expire }')), `5: steps 1: after: nothing ${duration}`],
    [
      'a mapping for a duration',
      deposit(steps('{ after: { m: 2 }, do: expire }')),
      `5: steps 1: after: a mapping ${duration}`,
    ],
    [
      'an endless duration',
      deposit(steps('{ after: 1001y, do: expire }')),
      `5: steps 1: after: \`1001y\` ${duration}; months and years differ in length, so write them in days`,
    ],
    [
      'an endless text for one',
      deposit(steps(`{ after: ${'1d '.repeat(50)}, do: expire }`)),
      `5: steps 1: after: \`${'1d '.repeat(27).slice(0, 80)}…\` ${duration}`,
    ],
    [
      '1,000 years and a day',
      deposit(steps('{ after: 219150d, do: expire }', '{ after: 146100d, do: expire }', 'do: expire\n    after: 1d')),
      '8: steps 3: after: the steps take more than 1,000 years in all',
    ],
    [
      'an invoice paid for ever',
      file('invoice', `trigger: { event: payment.succeeded }\n${steps('do: pay')}`),
      '6: step 1 (pay) causes payment.succeeded, which starts this scenario again: it would never end',
    ],
    [
      'a link paid for ever',
      file(
        'payment_link',
        `trigger: { event: payment.succeeded }\n${steps('do: fail', '{ do: pay, with: { outcome: failed } }', 'after: 8d\n    do: pay')}`,
      ),
      '8: step 3 (pay) causes payment.succeeded, which starts this scenario again: it would never end',
    ],
  ])('of %s is refused', async (_what, text, message) => {
    expect(await messageOf(parseScenario(text, './x.yaml'))).toBe(`./x.yaml:${message}`);
  });

  it('with invalid parts is refused with a line number', async () => {
    const piece = fc.constantFrom(
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
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const message = await messageOf(parseScenario(pieces.join(''), 'x.yaml'));
        expect(message).toMatch(/^x\.yaml:\d+: [^\n]+$/);
      }),
      { numRuns: 500 },
    );
  });

  it('of very many keys or items is refused', async () => {
    const keys = Array.from({ length: 11_000 }, (_, i) => `k${i}: 1`).join('\n');
    const message = await messageOf(parseScenario(keys, 'x.yaml'));
    expect(message).toMatch(/^x\.yaml:1: unknown key `k0`; available: /);
    const items = deposit(`steps: [${'{do: expire},'.repeat(7_000)}]`);
    expect(await messageOf(parseScenario(items, 'x.yaml'))).toBe('x.yaml:4: steps: must have at most 100 items');
  });

  it('that does not exist, or is a folder, is reported as such', async () => {
    const here = tempFolder();
    expect(await messageOf(readScenario(join(here, 'no.yaml')))).toMatch(/^cannot read .+no\.yaml: ENOENT/);
    expect(await messageOf(readScenario(here))).toMatch(/^cannot read .+: EISDIR/);
  });

  it('is read whole up to 100 kB, and refused beyond', async () => {
    const path = join(tempFolder(), 'x.yaml');
    const text = `${deposit(authorize)}\n#`;
    writeFileSync(path, text.padEnd(100_000, '-'));
    expect((await readScenario(path)).name).toBe('x');
    writeFileSync(path, text.padEnd(300_000, '-'));
    expect(await messageOf(readScenario(path))).toBe(`${path}:1: the file is larger than 100 kB`);
  });
});

describe('a folder of scenarios', () => {
  it('has the scenarios of its YAML and JSON files, in order of file names', async () => {
    const here = tempFolder();
    const named = (name: string): string => deposit(authorize).replace('x', name);
    writeFileSync(join(here, 'c.yaml'), named('third'));
    writeFileSync(join(here, 'a.yml'), named('first'));
    writeFileSync(join(here, 'b.json'), JSON.stringify(parse(named('second'))));
    writeFileSync(join(here, 'notes.txt'), 'no scenario');
    writeFileSync(join(here, 'scenario.schema.json'), '{}');
    expect((await readScenarioFolder(here)).map(({ name }) => name)).toEqual(['first', 'second', 'third']);

    writeFileSync(join(here, 'd.yaml'), named('first'));
    const duplicateName = `${join(here, 'd.yaml')}: the scenario \`first\` is already defined in ${join(here, 'a.yml')}`;
    expect(await messageOf(readScenarioFolder(here))).toBe(duplicateName);
    expect(await messageOf(readScenarioFolder(join(here, 'none')))).toMatch(/^cannot read .+none: ENOENT/);
    mkdirSync(join(here, 'empty'));
    expect(await readScenarioFolder(join(here, 'empty'))).toEqual([]);
  });

  it('is in the package, and equals the output of the build', async () => {
    const scenarios = await readScenarioFolder(folder);
    expect(scenarios).toStrictEqual(shippedScenarios);
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
      expect(trigger).toBeUndefined();
      expect(readFileSync(join(folder, `${name}.yaml`), 'utf8')).toMatch(`name: ${name}\n`);
    }
  });
});

describe('the schema', () => {
  const schema = JSON.parse(readFileSync(join(folder, 'scenario.schema.json'), 'utf8'));

  it.each(['deposit', 'invoice', 'payment_link'] as const)('has the verbs of %s', (kind) => {
    const playable = [...verbs.values()].filter(({ on }) => on[kind]).map(({ name }) => name);
    expect([...schema.$defs[`${kind}_step`].properties.do.enum].sort()).toEqual(playable.sort());
  });
});

describe('a scenario given as a value', () => {
  const value = { name: 'x', description: 'An example.', for: 'deposit', steps: [{ after: '1h', do: 'authorize' }] };

  it('is the same as in a file', async () => {
    const scenario = compileScenario(value);
    expect(await parseScenario(stringify(value), 'x.yaml')).toStrictEqual(scenario);
    expect(await parseScenario(JSON.stringify(value), 'x.json')).toStrictEqual(scenario);
  });

  it('is not kept, and not changed', () => {
    const given = structuredClone({ ...value, trigger: { event: 'deposit.created', match: { metadata: { a: 'b' } } } });
    const before = structuredClone(given);
    const scenario = compileScenario(given);
    expect(given).toStrictEqual(before);
    given.trigger.match.metadata.a = 'c';
    expect(scenario.trigger?.match?.metadata).toEqual({ a: 'b' });
  });

  it.each<[unknown, string, string[]]>([
    [undefined, 'must be a mapping, not nothing', []],
    [null, 'must be a mapping, not nothing', []],
    [[value], 'must be a mapping, not a list', []],
    [{ ...value, for: 'guest' }, 'unknown subject `guest`; available: `deposit`, `invoice`, `payment_link`', ['for']],
    [
      { ...value, steps: [{ do: 'expier' }] },
      'steps 1: unknown verb `expier`; did you mean `expire`?',
      ['steps', '0', 'do'],
    ],
    [
      JSON.parse('{"name":"x","description":"d","for":"deposit","steps":[{"do":"expire"}],"__proto__":{"trigger":1}}'),
      'unknown key `__proto__`; available: `name`, `description`, `for`, `trigger`, `steps`',
      ['__proto__'],
    ],
  ])('%j is refused', (given, message, path) => {
    expect(refusalOf(given)).toBe(message);
    expect(() => compileScenario(given)).toThrow(expect.objectContaining({ name: 'ScenarioError', path }));
  });

  it('nested too deeply is refused', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(refusalOf(deep)).toBe('must be a mapping, not a list');
    expect(refusalOf({ ...value, steps: deep })).toBe('steps 1: must be a mapping, not a list');
    expect(refusalOf({ ...value, deep })).toMatch(/^unknown key `deep`/);
  });
});

describe('a scenario that could start itself again', () => {
  const paying = { name: 'a', description: 'An example.', for: 'payment_link' };
  const paid = { ...paying, trigger: { event: 'payment.succeeded' } };
  const invoice = { ...paid, for: 'invoice' };
  const refusal = (step: number): string =>
    `step ${step} (pay) causes payment.succeeded, which starts this scenario again: it would never end`;

  it.each<[string, object]>([
    ['is started by name only', { ...paying, steps: [{ do: 'pay' }] }],
    ['is started by a creation', { ...invoice, trigger: { event: 'invoice.created' }, steps: [{ do: 'pay' }] }],
    ['lets payments fail', { ...paid, steps: [{ do: 'pay', with: { outcome: 'failed' } }] }],
    ['lets payments wait', { ...paid, steps: [{ do: 'pay', with: { outcome: 'pending' } }] }],
  ])('is one if it %s', (_what, given) => {
    expect(() => compileScenario(given)).not.toThrow();
  });

  it.each<[string, object, number]>([
    ['pays an invoice at last', { ...invoice, steps: [{ do: 'send' }, { do: 'view' }, { do: 'pay' }] }, 3],
    ['pays an invoice at once', { ...invoice, steps: [{ do: 'pay' }] }, 1],
    ['pays a link', { ...paid, steps: [{ do: 'pay' }] }, 1],
    [
      'says that the payment succeeds',
      { ...paid, steps: [{ do: 'fail' }, { do: 'pay', with: { outcome: 'paid' } }] },
      2,
    ],
  ])('is refused if it %s', (_what, given, step) => {
    expect(refusalOf(given)).toBe(refusal(step));
  });
});
