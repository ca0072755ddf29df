import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { profileText, withValidChoicesOnly } from '../../src/commands/contract/calibrate-profile.js';
import type { Calibration, Finding } from '../../src/contract/calibrate/calibrate.js';
import { resolveProfile } from '../../src/openapi/profile.js';

const observedAt = new Date('2026-03-09T12:00:00Z');

function calibrationOf(...findings: Finding[]): Calibration {
  const target = 'https://billing.example/api/v1';
  return { target, driver: 'no driver', requests: 3, findings, problems: [], suiteErrors: [] };
}

function textOf(...findings: Finding[]): string {
  const calibration = calibrationOf(...findings);
  return profileText(calibration, withValidChoicesOnly(calibration), observedAt);
}

const orderFinding: Finding = {
  gap: 'list.order',
  question: 'In what order do lists come?',
  choice: 'oldest-first',
  why: '',
  evidence: ['GET /payment-links → 200 data.0.id: 1'],
};
const scopeFinding: Finding = {
  gap: 'auth.scope',
  question: 'What is the response if the token lacks the scope?',
  choice: { answer: { status: 404, error: 'No: "nothing" # here\n' } },
  why: '',
  evidence: [],
};

test('gaps with an observed choice are written in the order of gaps.yaml, with evidence; the others follow with a reason', () => {
  const slugFinding: Finding = {
    ...orderFinding,
    gap: 'link.slug',
    question: 'What?',
    choice: undefined,
    why: 'needs --write: this run was read-only',
  };
  expect(
    textOf(orderFinding, slugFinding, scopeFinding),
  ).toBe(`# How https://billing.example/api/v1 fills the gaps in the specification, observed on 2026-03-09:
# 2 of 3 gaps, in 3 requests with no driver.

# What is the response if the token lacks the scope?
auth.scope:
  answer:
    status: 404
    error: |
      No: "nothing" # here

# In what order do lists come?
#   GET /payment-links → 200 data.0.id: 1
list.order: oldest-first

# The simulator keeps its defaults for these gaps, whose choices are unknown:

# link.slug: What?
#   needs --write: this run was read-only
`);
});

test('behavior that the observed choice does not cover is written below the question', () => {
  const remark = 'also `fee`, which no choice of the gap includes';
  expect(textOf({ ...orderFinding, why: remark })).toContain(`
# In what order do lists come?
#   also \`fee\`, which no choice of the gap includes
#   GET /payment-links → 200 data.0.id: 1
list.order: oldest-first
`);
});

test('text from a target can neither end a comment nor control a terminal', () => {
  const text = textOf(
    { ...orderFinding, evidence: ['GET / → 200 a\nlist.order: newest-first\u2028x\u0085y\rz\u001b[2J'] },
    scopeFinding,
  );
  expect(parse(text)).toEqual({ 'auth.scope': scopeFinding.choice, 'list.order': 'oldest-first' });
  for (const character of ['\u001b', '\u0085', '\u2028', '\r']) expect(text).not.toContain(character);
});

test('an observation that no profile can express stays unknown, with the reason', () => {
  const [finding] = withValidChoicesOnly(
    calibrationOf({ ...scopeFinding, choice: { answer: { status: 503, error: 'Busy' } } }),
  );
  expect(finding).toMatchObject({
    choice: undefined,
    why: expect.stringMatching(
      /^observed \{"answer":.+, but auth\.scope: `answer` takes a value .+ status: must be 499 or less$/,
    ),
  });
});

test('a profile without any observation is valid', () => {
  const choices: unknown = parse(textOf({ ...orderFinding, choice: undefined, why: 'too few records' }));
  expect(resolveProfile(Object(choices))).toEqual(resolveProfile({}));
  expect(choices).toEqual({});
});
