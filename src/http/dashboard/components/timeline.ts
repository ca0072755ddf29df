import { html, type SafeHtml } from '@remix-run/html-template';
import { formatCount, formatDuration } from '../../../text/format.js';
import type { Variant } from './status.js';
import { timestamp } from './timestamp.js';

/** The rows of the diagram. `Steps` is only for the preview of a scenario. */
const lanes = ['State', 'Steps', 'Payments', 'Webhooks', 'Emails'] as const;
type Lane = (typeof lanes)[number];

/** A past or planned event of a record. */
export interface TimelineEntry {
  /** ISO 8601, on the account's clock. */
  readonly at: string;
  readonly lane: Lane;
  readonly variant: Variant | 'planned';
  readonly text: string;
  /** The page with more about the event. */
  readonly href?: string | undefined;
  /** The state that begins with the event; only for past entries of the lane `State`. */
  readonly state?: string | undefined;
}

/** Maximum number of entries shown. If there are more, the earliest are left out. */
const maxEntries = 60;

/** A column of the diagram: events within one second, at most one for each lane. */
interface Column {
  /** Unix time in milliseconds. */
  readonly at: number;
  /** The entries, keyed by their lane. The column of the current time has only the key `now`, without an entry. */
  readonly entries: Map<Lane | 'now', TimelineEntry | undefined>;
  /** Horizontal position in pixels. */
  x: number;
}

/** Width of the space for the names of the lanes, left of the columns, in pixels. */
const laneNamesWidth = 84;

/** Height of a lane, in pixels. */
const laneHeight = 36;

/** Minimum distance between two columns, in pixels. */
const minColumnDistance = 112;

/** Space below the lanes for the date and the time of each column, in pixels. */
const timeLabelsHeight = 40;

/** Pixels by which the distance between two columns grows with each tenfold increase in the time between them. */
const pixelsPerTenfoldIncrease = 12;

/**
 * The timeline of a record on the account's clock, as a diagram and as a more detailed list.
 * @param entries the earliest first @param now the time on the account's clock, ISO 8601
 */
export function timeline(noun: string, entries: readonly TimelineEntry[], now: string): SafeHtml {
  const shownEntries = entries.slice(-maxEntries);
  const omittedCount = entries.length - shownEntries.length;
  return html`<section class="sheet timeline" aria-labelledby="timeline">
<h2 id="timeline">Timeline</h2>
<div class="scroll drawing" tabindex="0" role="region" aria-label="Timeline diagram of the ${noun}">
${diagram(noun, shownEntries, now)}
</div>
${omittedCount > 0 ? html`<p class="empty">${formatCount(omittedCount, 'earlier entry')} ${omittedCount === 1 ? 'is' : 'are'} omitted.</p>` : ''}
<ol>
${shownEntries.map(listItem)}</ol>
</section>`;
}

function listItem({ at, lane, variant, text, href }: TimelineEntry): SafeHtml {
  const label = href === undefined ? text : html`<a href="${href}">${text}</a>`;
  return html`<li class="${variant}">${timestamp(at)} <span class="lane">${lane}</span> <span>${variant === 'planned' ? 'due: ' : ''}${label}</span></li>
`;
}

function diagram(noun: string, entries: readonly TimelineEntry[], now: string): SafeHtml {
  const columns = columnsOf(entries, Date.parse(now));
  const usedLanes = lanes.filter((name) => entries.some((entry) => entry.lane === name));
  const yOf = (name: Lane): number => usedLanes.indexOf(name) * laneHeight + laneHeight / 2 + 8;
  const bottom = usedLanes.length * laneHeight + 12;
  const [width, height] = [
    (columns.at(-1)?.x ?? laneNamesWidth) + minColumnDistance / 2 + 8,
    bottom + timeLabelsHeight,
  ];
  const laneLabels = usedLanes.map((name) => html`<text class="lane" x="0" y="${yOf(name) + 4}">${name}</text>`);
  return html`<svg role="img" aria-label="Timeline of the ${noun}; the list below shows the same entries as text" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${laneLabels}
${columns.map((column, index) => columnTick(column, columns[index - 1], bottom))}
${stateBars(columns, yOf('State'))}
${columns.map(({ x, entries: columnEntries }) => [...columnEntries].map(([name, entry]) => (entry && name !== 'now' && entry.state === undefined ? eventMark(entry, x, yOf(name)) : '')))}
</svg>`;
}

/** Builds the columns in order of time. The more time lies between two columns, the farther apart they are. */
function columnsOf(entries: readonly TimelineEntry[], now: number): Column[] {
  const columns: Column[] = [];
  const sorted = [...entries].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const addEntry = (name: Lane | 'now', at: number, entry: TimelineEntry | undefined): void => {
    // An entry shares the column of an entry in the same second, except a column before the last entry of its lane, or
    // before the column of the current time.
    const firstAllowed =
      columns.findLastIndex(({ entries: columnEntries }) => columnEntries.has(name) || columnEntries.has('now')) + 1;
    const reusable = name === 'now' ? undefined : columns.slice(firstAllowed).find((column) => at - column.at < 1_000);
    const column = reusable ?? { at, entries: new Map(), x: 0 };
    if (!reusable) columns.push(column);
    column.entries.set(name, entry);
  };
  for (const entry of sorted.filter((entry) => !isPlanned(entry))) addEntry(entry.lane, Date.parse(entry.at), entry);
  addEntry('now', now, undefined);
  for (const entry of sorted.filter(isPlanned)) addEntry(entry.lane, Date.parse(entry.at), entry);
  columns.forEach((column, index) => {
    const previous = columns[index - 1];
    column.x = previous
      ? previous.x +
        minColumnDistance +
        pixelsPerTenfoldIncrease * Math.log10(1 + Math.max(0, column.at - previous.at) / 1_000)
      : laneNamesWidth + minColumnDistance / 2;
  });
  return columns;
}

function isPlanned({ variant }: TimelineEntry): boolean {
  return variant === 'planned';
}

/** The tick of a column with its date and time, and the duration since the previous column. */
function columnTick({ at, x, entries }: Column, previous: Column | undefined, y: number): SafeHtml {
  const [date = '', time = ''] = new Date(at).toISOString().slice(0, 19).split('T');
  const isNow = entries.has('now');
  const elapsed = previous && at - previous.at >= 1_000 ? formatDuration(at - previous.at) : '';
  return html`<path class="${isNow ? 'now' : 'tick'}" d="M${x} 0V${y}"/>
<text class="time${isNow ? ' now' : ''}" x="${x}" y="${y + 14}">${isNow ? 'now' : date}</text><text class="time" x="${x}" y="${y + 29}">${time}</text>
${elapsed === '' ? '' : html`<text class="span" x="${(x + (previous?.x ?? x)) / 2}" y="${y}">${elapsed}</text>`}`;
}

/** The states as bars that last until the next state, or until now. */
function stateBars(columns: readonly Column[], y: number): SafeHtml[] {
  const starts = columns.flatMap(({ x, entries }) => {
    const entry = entries.get('State');
    return entry?.state === undefined ? [] : [{ x, state: entry.state, variant: entry.variant }];
  });
  const nowX = columns.find(({ entries }) => entries.has('now'))?.x ?? 0;
  return starts.map(({ x, state, variant }, index) => {
    const endX = starts[index + 1]?.x ?? nowX;
    return html`<rect class="bar ${variant}" x="${x + 1}" y="${y - 12}" width="${endX - x - 2}" height="24" rx="4"/>
<text class="bar ${variant}" x="${(x + endX) / 2}" y="${y + 4}">${state}</text>
`;
  });
}

function eventMark({ variant, text }: TimelineEntry, x: number, y: number): SafeHtml {
  return html`<circle class="${variant}" cx="${x}" cy="${y}" r="7"><title>${text}</title></circle>
`;
}
