import { html, type SafeHtml } from '@remix-run/html-template';
import { formatDuration } from '../../../text/format.js';
import { moment } from './moment.js';
import type { Look } from './status.js';

const lanes = ['State', 'Steps', 'Payments', 'Webhooks', 'Emails'] as const;
type Lane = (typeof lanes)[number];

/** A past or planned event of a record. */
export interface Entry {
  /** ISO 8601, on the account's clock. */
  readonly at: string;
  readonly lane: Lane;
  readonly look: Look | 'planned';
  readonly text: string;
  /** The page with more about it. */
  readonly href?: string | undefined;
  /** The state that it starts. */
  readonly state?: string | undefined;
}

/** Maximum number of entries shown: the latest ones. */
const maxEntries = 60;

/** A column of the drawing: events within one second, at most one for each lane. */
interface Column {
  readonly at: number;
  readonly entries: Map<Lane | 'now', Entry | undefined>;
  x: number;
}

/** Width of the column with the names of the lanes, height of a lane, and minimum distance of columns. */
const [margin, lane, gap] = [84, 36, 112];

/**
 * The timeline of a record on the account's clock: as a drawing, and as a list that says the same and
 * more. @param entries the earliest first
 */
export function timeline(noun: string, entries: readonly Entry[], now: string): SafeHtml {
  const shown = entries.slice(-maxEntries);
  const omitted = entries.length - shown.length;
  return html`<section class="sheet timeline" aria-labelledby="timeline">
<h2 id="timeline">Timeline</h2>
<div class="scroll drawing" tabindex="0" role="region" aria-label="Timeline of the ${noun}, drawn">
${drawing(noun, shown, now)}
</div>
${omitted > 0 ? html`<p class="empty">${omitted} earlier entries are omitted.</p>` : ''}
<ol>
${shown.map(item)}</ol>
</section>`;
}

function item({ at, lane: of, look, text, href }: Entry): SafeHtml {
  const label = href === undefined ? text : html`<a href="${href}">${text}</a>`;
  return html`<li class="${look}">${moment(at)} <span class="lane">${of}</span> <span>${look === 'planned' ? 'due: ' : ''}${label}</span></li>
`;
}

function drawing(noun: string, entries: readonly Entry[], now: string): SafeHtml {
  const columns = columnsOf(entries, Date.parse(now));
  const used = lanes.filter((name) => entries.some((entry) => entry.lane === name));
  const yOf = (name: Lane): number => used.indexOf(name) * lane + lane / 2 + 8;
  const bottom = used.length * lane + 12;
  const [width, height] = [(columns.at(-1)?.x ?? margin) + gap / 2 + 8, bottom + 40];
  const names = used.map((name) => html`<text class="lane" x="0" y="${yOf(name) + 4}">${name}</text>`);
  return html`<svg role="img" aria-label="Timeline of the ${noun}; the list below says the same" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${names}
${columns.map((column, number) => axis(column, columns[number - 1], bottom))}
${states(columns, yOf('State'))}
${columns.map(({ x, entries: here }) => [...here].map(([name, entry]) => (entry && name !== 'now' && entry.state === undefined ? mark(entry, x, yOf(name)) : '')))}
</svg>`;
}

/** Builds the columns in order of time. The longer the time between two, the larger their distance. */
function columnsOf(entries: readonly Entry[], now: number): Column[] {
  const columns: Column[] = [];
  const sorted = [...entries].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || Number(isPlanned(a)) - Number(isPlanned(b)),
  );
  const add = (name: Lane | 'now', at: number, entry: Entry | undefined): void => {
    // A column of the same second and on the same side of now, after the last entry of the lane.
    const firstAllowed = columns.findLastIndex(({ entries: here }) => here.has(name) || here.has('now')) + 1;
    const reusable = name === 'now' ? undefined : columns.slice(firstAllowed).find((column) => at - column.at < 1_000);
    const column = reusable ?? { at, entries: new Map(), x: 0 };
    if (!reusable) columns.push(column);
    column.entries.set(name, entry);
  };
  for (const entry of sorted.filter((one) => !isPlanned(one))) add(entry.lane, Date.parse(entry.at), entry);
  add('now', now, undefined);
  for (const entry of sorted.filter(isPlanned)) add(entry.lane, Date.parse(entry.at), entry);
  columns.forEach((column, number) => {
    const before = columns[number - 1];
    column.x = before
      ? before.x + gap + 12 * Math.log10(1 + Math.max(0, column.at - before.at) / 1_000)
      : margin + gap / 2;
  });
  return columns;
}

function isPlanned({ look }: Entry): boolean {
  return look === 'planned';
}

/** The time of a column, and the time passed since the previous column. */
function axis({ at, x, entries }: Column, before: Column | undefined, y: number): SafeHtml {
  const [date = '', clock = ''] = new Date(at).toISOString().slice(0, 19).split('T');
  const isNow = entries.has('now');
  const passed = before && at - before.at >= 1_000 ? formatDuration(at - before.at) : '';
  return html`<path class="${isNow ? 'now' : 'tick'}" d="M${x} 0V${y}"/>
<text class="time${isNow ? ' now' : ''}" x="${x}" y="${y + 14}">${isNow ? 'now' : date}</text><text class="time" x="${x}" y="${y + 29}">${clock}</text>
${passed === '' ? '' : html`<text class="span" x="${(x + (before?.x ?? x)) / 2}" y="${y}">${passed}</text>`}`;
}

/** The states as bars that last until the next state, or until now. */
function states(columns: readonly Column[], y: number): SafeHtml[] {
  const starts = columns.flatMap(({ x, entries }) => {
    const entry = entries.get('State');
    return entry?.state === undefined ? [] : [{ x, state: entry.state, look: entry.look }];
  });
  const now = columns.find(({ entries }) => entries.has('now'))?.x ?? 0;
  return starts.map(({ x, state, look }, number) => {
    const end = starts[number + 1]?.x ?? now;
    return html`<rect class="bar ${look}" x="${x + 1}" y="${y - 12}" width="${end - x - 2}" height="24" rx="4"/>
<text class="bar ${look}" x="${(x + end) / 2}" y="${y + 4}">${state}</text>
`;
  });
}

function mark({ look, text }: Entry, x: number, y: number): SafeHtml {
  return html`<circle class="${look}" cx="${x}" cy="${y}" r="7"><title>${text}</title></circle>
`;
}
