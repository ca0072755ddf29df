import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { clauseListJson, formatClauseList } from '../../src/commands/contract/clause-list.js';
import { checkClause } from '../../src/contract/engine/run.js';
import type { GapId } from '../../src/contract/engine/session.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { probes } from '../../src/contract/sections/probes.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import type { Choices } from '../../src/index.js';
import { choicesOf } from '../gaps/choices-of.js';
import { sample } from '../support/sample.js';
import { ofDefaultAccount, seeds, unobservable, values } from './probe-cases.js';
import { closeSimulator, openDemo, openSession, openSimulator, type Subject } from './support.js';

afterAll(closeSimulator);

const gapIds = Object.keys(gapRegistry);

test('every gap has one probe, and every probe one gap', () => {
  expect(probes.map(({ gap }) => gap).sort()).toEqual(gapIds.sort());
});

test('a gap has a reason instead of a check only if the registry says so, or no driver can cause it', () => {
  const reasons = probes.flatMap(({ gap, check }) => (typeof check === 'object' ? [gap] : []));
  const fromInside = probes
    .map(({ gap }) => gap)
    .filter((gap) => gapRegistry[gap].probe.startsWith('Not from outside'));
  expect(reasons.sort()).toEqual([...fromInside, 'overdue.link-null'].sort());
});

test('a list of the clauses says which gaps only a calibration checks', () => {
  const further = probes.filter(({ isPassive }) => !isPassive);
  const { calibrate } = clauseListJson(clauses, further);
  expect([...clauses.filter(({ level }) => level === 'open'), ...calibrate]).toHaveLength(gapIds.length);
  expect(formatClauseList(clauses, further)).toMatch(
    /\nChecked only by billing-sim calibrate\n(?: {2}GAP-.+\?\n)* {2}GAP-DEPOSIT-DATES +What happens to .+\?\n/,
  );
});

/** A choice as a profile writes it. */
const written = choicesOf(gapRegistry).map(({ id, name, choice }) => ({
  what: `${id} ${name}`,
  id,
  choice: choice.takes ? { [name]: values[`${id} ${name}`] } : name,
}));

/** The demo account of a simulator that ends with the test. */
async function openDefault(profile: Choices): Promise<Subject> {
  const { close, ...subject } = await openDemo(profile);
  onTestFinished(close);
  return subject;
}

function isGap(id: string): id is GapId {
  return gapIds.includes(id);
}

describe.concurrent('calibration recognizes this choice of a simulator', () => {
  test.each(sample(written, 2))('$what', async ({ what, id, choice }) => {
    const probe = probes.find(({ gap }) => gap === id);
    if (!probe || !isGap(id)) throw new Error(`${id} has no probe`);
    const profile = { [id]: choice };
    const subject = ofDefaultAccount.includes(id)
      ? await openDefault(profile)
      : await openSimulator(profile, seeds[id]);
    const session = openSession(subject, {
      eventuallyTimeoutMs: id === 'event.retries' || id === 'event.duplicate-id' ? 6_000 : 1_000,
      includeRateLimit: true,
    });
    const { missing, detail } = await checkClause(session, probe, false).finally(() => session.close());
    if (what in unobservable)
      expect({ missing, detail, seen: session.gaps.get(id) }).toMatchObject({
        missing: unobservable[what],
        seen: undefined,
      });
    else expect({ seen: session.gaps.get(id), detail }).toMatchObject({ seen: choice });
  });
});
