import { html, type SafeHtml } from '@remix-run/html-template';
import { allowedSteps, type Transition } from '../../../domain/lifecycle.js';
import type { Change } from '../../../domain/records.js';
import type { Profile } from '../../../openapi/gaps.js';

/** A lifecycle, and the position of a record in it. */
export interface Lifecycle<Status extends string> {
  /** The noun of the record: `deposit`. */
  readonly noun: string;
  readonly table: readonly Transition<Status, string, string>[];
  readonly profile: Profile;
  readonly status: Status;
  readonly history: readonly Change<Status>[];
}

/** A transition from one state to another. */
interface Way {
  readonly from: string;
  readonly to: string;
  readonly causes: readonly string[];
  readonly look: 'taken' | 'open' | 'idle';
}

/** Maximum width of the row and of a state in it, height of a state, and height of an arc for each state that it spans. */
const [room, widest, height, rise] = [976, 140, 30, 26];

/**
 * Draws the lifecycle of a record: its states in a row, terminal states at the end, with arcs from state to state: above
 * to states that are not terminal, below to terminal states. The current state and the path to it are highlighted.
 */
export function lifecycle<Status extends string>({
  noun,
  table,
  profile,
  status,
  history,
}: Lifecycle<Status>): SafeHtml {
  const steps = allowedSteps(table, profile);
  const { states, lastFrom } = inRow(steps);
  const ways = waysOf(steps, history, status);
  const step = Math.min(widest, Math.floor(room / states.length));
  const place = (state: string): number => states.indexOf(state);
  const isBelow = ({ to }: Way): boolean => place(to) >= lastFrom;
  const spans = (below: boolean): number[] =>
    ways.filter((way) => isBelow(way) === below).map(({ from, to }) => Math.max(1, Math.abs(place(to) - place(from))));
  const top = 12 + rise * Math.max(0, ...spans(false));
  const bottom = top + height + rise * Math.max(0, ...spans(true)) + 12;
  const size = [step * states.length, bottom];
  const arcs = ways.map((way) => {
    const below = isBelow(way);
    return arc(way, place(way.from), place(way.to), { step, y: below ? top + height : top, isBelow: below });
  });
  const pills = states.map((state, number) =>
    pill(state, state === status, { x: step * number + 5, y: top, width: step - 10 }),
  );
  const came = history.map(({ to, cause }) => ` → ${to} (${cause})`).join('');
  const open = ways.filter(({ from }) => from === status).map(({ causes, to }) => `${causes.join(' or ')} → ${to}`);
  const title = `The ${noun} is ${status}. It was ${history[0]?.from ?? status}${came}. ${
    open.length === 0 ? 'This status is final.' : `Possible next: ${open.join(', ')}.`
  }`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Lifecycle of the ${noun}">
<svg class="lifecycle" role="img" aria-label="${title}" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size.join(' ')}">
<defs>${(['taken', 'open', 'idle'] as const).map(arrowhead)}</defs>
${arcs}
${pills}
</svg></div>`;
}

/** The states in the order of their transitions, and the index of the first terminal state. */
function inRow(steps: readonly Pick<Change<string>, 'from' | 'to'>[]): { states: string[]; lastFrom: number } {
  const onward = steps.filter(({ from, to }) => from !== to);
  const all = [...new Set(onward.flatMap(({ from, to }) => [from, to]))];
  const depth = (state: string, passed: readonly string[] = []): number =>
    Math.max(
      0,
      ...onward
        .filter(({ from, to }) => to === state && !passed.includes(from))
        .map(({ from }) => 1 + depth(from, [...passed, state])),
    );
  const isLast = (state: string): boolean => !onward.some(({ from }) => from === state);
  const going = all.filter((state) => !isLast(state)).sort((a, b) => depth(a) - depth(b));
  return { states: [...going, ...all.filter(isLast)], lastFrom: going.length };
}

/** Groups all causes that lead from one state to another. */
function waysOf(
  steps: readonly Omit<Change<string>, 'at'>[],
  history: readonly Change<string>[],
  status: string,
): Way[] {
  const ways = new Map<string, Way>();
  for (const { from, to, cause } of steps) {
    const key = `${from} ${to}`;
    const causes = [...new Set([...(ways.get(key)?.causes ?? []), cause])];
    const isTaken = history.some((change) => change.from === from && change.to === to);
    ways.set(key, { from, to, causes, look: isTaken ? 'taken' : from === status ? 'open' : 'idle' });
  }
  const rank = { idle: 0, open: 1, taken: 2 };
  return [...ways.values()].sort((a, b) => rank[a.look] - rank[b.look]);
}

function arrowhead(look: Way['look']): SafeHtml {
  return html`<marker id="arrow-${look}" class="${look}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>`;
}

function arc(
  { causes, look }: Way,
  from: number,
  to: number,
  at: { step: number; y: number; isBelow: boolean },
): SafeHtml {
  const { step, y, isBelow } = at;
  const isLoop = from === to;
  // Arcs leave at the right of a state and arrive at its left, so that opposite arcs do not overlap.
  const start = step * from + step / 2 + 14;
  const end = step * to + step / 2 - 14;
  const apex = y + (isBelow ? 1 : -1) * rise * Math.max(1, Math.abs(to - from));
  // The apex of a cubic curve is at three quarters of the distance to its handles.
  const handle = Math.round(y + (apex - y) / 0.75);
  const wide = isLoop ? 16 : 0;
  return html`<path class="way ${look}" marker-end="url(#arrow-${look})" d="M${start} ${y}C${start + wide} ${handle} ${end - wide} ${handle} ${end} ${y}"/>
<text class="cause ${look}" x="${(start + end) / 2}" y="${apex + 4}">${causes.join(', ')}</text>
`;
}

function pill(state: string, isPresent: boolean, at: { x: number; y: number; width: number }): SafeHtml {
  const { x, y, width } = at;
  return html`<g class="state${isPresent ? ' present' : ''}"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}"/>
<text x="${x + width / 2}" y="${y + height / 2 + 4}">${state}</text></g>
`;
}
