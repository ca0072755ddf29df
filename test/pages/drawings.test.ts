import { describe, expect, test } from 'vitest';
import { depositLifecycle } from '../../src/domain/deposit-lifecycle.js';
import { invoiceLifecycle } from '../../src/domain/invoice-lifecycle.js';
import type { DepositStatus, StatusChange } from '../../src/domain/records.js';
import { lifecycle } from '../../src/http/dashboard/components/lifecycle.js';
import { type Entry, timeline } from '../../src/http/dashboard/components/timeline.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { visibleText } from './dashboard-forms.js';

/** Drawings of a record: its lifecycle and its timeline. */

const changeOf = (from: DepositStatus, to: DepositStatus, cause: string): StatusChange<DepositStatus> => {
  return { at: '2026-03-01T09:00:00.000Z', from, to, cause };
};

describe('the lifecycle', () => {
  const drawLifecycle = (
    status: DepositStatus,
    history: readonly StatusChange<DepositStatus>[],
    choices = {},
  ): string =>
    String(lifecycle({ noun: 'deposit', table: depositLifecycle, profile: resolveProfile(choices), status, history }));
  const statesOf = (html: string): string[] =>
    [...html.matchAll(/<g class="state[^"]*">.*?<text[^>]*>(.*?)<\/text>/gs)].map(([, state = '']) => state);
  const causes = (html: string, cssClass: string): string[] =>
    [...html.matchAll(new RegExp(`<text class="cause ${cssClass}"[^>]*>(.*?)</text>`, 'g'))].map(
      ([, cause = '']) => cause,
    );

  test('has the states in a row, terminal states at the end', () => {
    expect(statesOf(drawLifecycle('pending', []))).toEqual([
      'pending',
      'authorized',
      'partially_captured',
      'failed',
      'expired',
      'captured',
      'released',
    ]);
    const profile = resolveProfile({});
    const invoice = lifecycle({ noun: 'invoice', table: invoiceLifecycle, profile, status: 'draft', history: [] });
    const states = ['draft', 'pending', 'sent', 'viewed', 'partial', 'overdue', 'paid', 'cancelled'];
    expect(statesOf(String(invoice))).toEqual(states);
  });

  test('highlights the current state, the path to it, and possible transitions', () => {
    const html = drawLifecycle('authorized', [changeOf('pending', 'authorized', 'authorize')]);
    expect(html).toMatch(/<g class="state present">.*?>authorized<\/text>/s);
    expect(html.match(/state present/g)).toHaveLength(1);
    expect(causes(html, 'taken')).toEqual(['authorize']);
    expect(causes(html, 'open').sort()).toEqual(['capture', 'capture', 'expire', 'release']);
  });

  test('has the states and transitions of the profile', () => {
    expect(statesOf(drawLifecycle('pending', [], { 'deposit.decline': 'pending' }))).not.toContain('failed');
    expect(causes(drawLifecycle('pending', [], { 'deposit.decline': 'pending' }), 'open')).toContain('decline');
  });

  test.each([
    [
      'authorized',
      'The deposit is authorized. It was pending → authorized (authorize). Possible next: expire → expired, capture → partially_captured, capture → captured, release → released.',
    ],
    ['expired', 'The deposit is expired. It was pending → expired (expire). This status is final.'],
  ] as const)('is described in words for the status %s', (status, words) => {
    const cause = status === 'authorized' ? 'authorize' : 'expire';
    expect(drawLifecycle(status, [changeOf('pending', status, cause)]).replaceAll('&gt;', '>')).toContain(
      `aria-label="${words}"`,
    );
  });
});

describe('the timeline', () => {
  const now = '2026-03-02T09:00:00.000Z';
  const entry = (at: string, more: Partial<Entry> = {}): Entry => {
    return { at: `2026-03-${at}.000Z`, lane: 'Webhooks', variant: 'good', text: `at ${at}`, ...more };
  };
  const columns = (html: string): number[] =>
    [...html.matchAll(/<path class="(?:tick|now)" d="M([\d.]+) /g)].map(([, x]) => Number(x));

  test('puts events within a second into one column, and the current time into its own', () => {
    const html = timeline(
      'deposit',
      [entry('01T09:00:00', { lane: 'State', state: 'pending' }), entry('01T09:00:00')],
      now,
    );
    expect(columns(String(html))).toHaveLength(2);
  });

  test('puts simultaneous events of a lane side by side', () => {
    const html = timeline('deposit', [entry('01T09:00:00'), entry('01T09:00:00'), entry('01T09:00:00')], now);
    const [first, ...others] = columns(String(html));
    expect(others).toHaveLength(3);
    for (const x of others) expect(x).toBeGreaterThan(first ?? Number.NaN);
  });

  test('runs from left to right, wider for longer times, with planned events after the current time', () => {
    const planned = entry('09T09:00:00', { variant: 'planned', lane: 'State' });
    const html = String(timeline('deposit', [entry('01T09:00:00'), entry('01T09:00:05'), planned], now));
    const [first = 0, second = 0, present = 0, due = 0] = columns(html);
    expect(second).toBeGreaterThan(first);
    expect(present - second).toBeGreaterThan(second - first);
    expect(due - present).toBeGreaterThan(present - second);
    expect(html).toMatch(new RegExp(`<circle class="planned" cx="${due}"`));
    expect(html.match(/class="now" d="M([\d.]+) /)?.[1]).toBe(String(present));
  });

  test('draws each state until the next one, the last one until now', () => {
    const states = [
      entry('01T09:00:00', { lane: 'State', state: 'pending' }),
      entry('01T10:00:00', { lane: 'State', state: 'authorized' }),
    ];
    const html = String(timeline('deposit', states, now));
    const [first = 0, second = 0, present = 0] = columns(html);
    const bars = [...html.matchAll(/<rect class="bar \w+" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(
      ([, x, width]) => [Math.round(Number(x) - 1), Math.round(Number(width) + 2)],
    );
    expect(bars).toEqual([
      [Math.round(first), Math.round(second - first)],
      [Math.round(second), Math.round(present - second)],
    ]);
  });

  test('lists the same entries as text, with links', () => {
    const html = timeline('deposit', [entry('01T09:00:00', { href: '/dashboard/demo/webhooks/evt_1' })], now);
    expect(String(html)).toContain('<a href="/dashboard/demo/webhooks/evt_1">at 01T09:00:00</a>');
    expect(visibleText(String(html))).toContain('2026-03-01 09:00:00 Webhooks at 01T09:00:00');
  });

  test('shows the latest 60, and the number of earlier ones', () => {
    const many = Array.from({ length: 75 }, (_, second) => entry(`01T09:00:${String(second % 60).padStart(2, '0')}`));
    const html = String(timeline('deposit', many, now));
    expect(html.match(/<li /g)).toHaveLength(60);
    expect(html).toContain('15 earlier entries are omitted.');
  });
});
