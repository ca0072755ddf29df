import { describe, expect, test } from 'vitest';
import { depositLifecycle } from '../../src/domain/deposit-lifecycle.js';
import { invoiceLifecycle } from '../../src/domain/invoice-lifecycle.js';
import type { DepositStatus, StatusChange } from '../../src/domain/records.js';
import { lifecycle } from '../../src/http/dashboard/components/lifecycle.js';
import { type TimelineEntry, timeline } from '../../src/http/dashboard/components/timeline.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { visibleText } from './html-text.js';

/** The two diagrams on the page of a record: its lifecycle and its timeline. */

const statusChange = (from: DepositStatus, to: DepositStatus, cause: string): StatusChange<DepositStatus> => {
  return { at: '2026-03-01T09:00:00.000Z', from, to, cause };
};

describe('the lifecycle', () => {
  const depositLifecycleHtml = (
    status: DepositStatus,
    history: readonly StatusChange<DepositStatus>[],
    choices = {},
  ): string =>
    String(
      lifecycle({ noun: 'deposit', transitions: depositLifecycle, profile: resolveProfile(choices), status, history }),
    );
  const statesOf = (html: string): string[] =>
    [...html.matchAll(/<g class="state[^"]*">.*?<text[^>]*>(.*?)<\/text>/gs)].map(([, state = '']) => state);
  /** The causes on the arcs of one variant: `taken` for past transitions, `open` for those that are possible now. */
  const causesOf = (html: string, variant: 'taken' | 'open'): string[] =>
    [...html.matchAll(new RegExp(`<text class="cause ${variant}"[^>]*>(.*?)</text>`, 'g'))].map(
      ([, cause = '']) => cause,
    );

  test('has the states in order, the terminal states last', () => {
    expect(statesOf(depositLifecycleHtml('pending', []))).toEqual([
      'pending',
      'authorized',
      'partially_captured',
      'failed',
      'expired',
      'captured',
      'released',
    ]);
    const profile = resolveProfile({});
    const invoiceHtml = lifecycle({
      noun: 'invoice',
      transitions: invoiceLifecycle,
      profile,
      status: 'draft',
      history: [],
    });
    const invoiceStates = ['draft', 'pending', 'sent', 'viewed', 'partial', 'overdue', 'paid', 'cancelled'];
    expect(statesOf(String(invoiceHtml))).toEqual(invoiceStates);
  });

  test('highlights the current state, the transitions that the record has made, and those that are possible now', () => {
    const html = depositLifecycleHtml('authorized', [statusChange('pending', 'authorized', 'authorize')]);
    expect(html).toMatch(/<g class="state current">(?:(?!<\/g>).)*>authorized<\/text>/s);
    expect(html.match(/state current/g)).toHaveLength(1);
    expect(causesOf(html, 'taken')).toEqual(['authorize']);
    expect(causesOf(html, 'open').sort()).toEqual(['capture', 'capture', 'expire', 'release']);
  });

  test('has the states and transitions of the profile', () => {
    // With this choice a declined deposit stays pending.
    const html = depositLifecycleHtml('pending', [], { 'deposit.decline': 'pending' });
    expect(statesOf(html)).not.toContain('failed');
    expect(causesOf(html, 'open')).toContain('decline');
  });

  test.each([
    [
      'authorized',
      'The deposit is authorized. History: pending → authorized (authorize). Possible next: expire → expired, capture → partially_captured, capture → captured, release → released.',
    ],
    ['expired', 'The deposit is expired. History: pending → expired (expire). This status is final.'],
  ] as const)('has a description in words for the status %s', (status, description) => {
    const cause = status === 'authorized' ? 'authorize' : 'expire';
    const html = depositLifecycleHtml(status, [statusChange('pending', status, cause)]);
    expect(html).toContain(`aria-label="${description}"`);
  });
});

describe('the timeline', () => {
  const now = '2026-03-02T09:00:00.000Z';
  /** @param dayAndTime a time in March 2026: `01T09:00:00` */
  const entry = (dayAndTime: string, overrides: Partial<TimelineEntry> = {}): TimelineEntry => {
    return {
      at: `2026-03-${dayAndTime}.000Z`,
      lane: 'Webhooks',
      variant: 'good',
      text: `at ${dayAndTime}`,
      ...overrides,
    };
  };
  /** The x coordinates of the columns, including the one of the current time. */
  const columnsOf = (html: string): number[] =>
    [...html.matchAll(/<path class="(?:tick|now)" d="M([\d.]+) /g)].map(([, x]) => Number(x));

  test('puts simultaneous entries of different lanes into one column, and the current time into another', () => {
    const html = timeline(
      'deposit',
      [entry('01T09:00:00', { lane: 'State', state: 'pending' }), entry('01T09:00:00')],
      now,
    );
    expect(columnsOf(String(html))).toHaveLength(2);
  });

  test('puts simultaneous entries of the same lane into different columns', () => {
    const html = timeline('deposit', [entry('01T09:00:00'), entry('01T09:00:00'), entry('01T09:00:00')], now);
    const xs = columnsOf(String(html));
    // A column for each of the three entries, and one for the current time.
    expect(new Set(xs).size).toBe(4);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
  });

  test('runs from left to right, with wider gaps for longer times, and planned entries after the current time', () => {
    const planned = entry('09T09:00:00', { variant: 'planned', lane: 'State' });
    const html = String(timeline('deposit', [entry('01T09:00:00'), entry('01T09:00:05'), planned], now));
    const [firstX = 0, secondX = 0, nowX = 0, plannedX = 0] = columnsOf(html);
    expect(secondX).toBeGreaterThan(firstX);
    expect(nowX - secondX).toBeGreaterThan(secondX - firstX);
    expect(plannedX - nowX).toBeGreaterThan(nowX - secondX);
    expect(html).toMatch(new RegExp(`<circle class="planned" cx="${plannedX}"`));
    expect(html.match(/class="now" d="M([\d.]+) /)?.[1]).toBe(String(nowX));
  });

  test('draws each state as a bar until the next state, and the last state until now', () => {
    const states = [
      entry('01T09:00:00', { lane: 'State', state: 'pending' }),
      entry('01T10:00:00', { lane: 'State', state: 'authorized' }),
    ];
    const html = String(timeline('deposit', states, now));
    const [firstX = 0, secondX = 0, nowX = 0] = columnsOf(html);
    // A bar begins one pixel after the column of its state, and ends one pixel before the next column.
    const bars = [...html.matchAll(/<rect class="bar \w+" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(
      ([, x, width]) => [Math.round(Number(x) - 1), Math.round(Number(width) + 2)],
    );
    expect(bars).toEqual([
      [Math.round(firstX), Math.round(secondX - firstX)],
      [Math.round(secondX), Math.round(nowX - secondX)],
    ]);
  });

  test('lists the drawn entries as text too, with links', () => {
    const html = timeline('deposit', [entry('01T09:00:00', { href: '/dashboard/demo/webhooks/evt_1' })], now);
    expect(String(html)).toContain('<a href="/dashboard/demo/webhooks/evt_1">at 01T09:00:00</a>');
    expect(visibleText(String(html))).toContain('2026-03-01 09:00:00 Webhooks at 01T09:00:00');
  });

  test.each([
    [61, '1 earlier entry is omitted.'],
    [75, '15 earlier entries are omitted.'],
  ])('shows the latest 60 of %s entries, and the number of earlier ones', (count, notice) => {
    const times = Array.from({ length: count }, (_, index) => {
      const [minute, second] = [Math.floor(index / 60), index % 60].map((part) => String(part).padStart(2, '0'));
      return `01T09:${minute}:${second}`;
    });
    const entries = times.map((time) => entry(time));
    const html = String(timeline('deposit', entries, now));
    const listed = [...html.matchAll(/<li .*?at (01T\d\d:\d\d:\d\d)/g)].map(([, time]) => time);
    expect(listed).toEqual(times.slice(-60));
    expect(html).toContain(notice);
  });
});
