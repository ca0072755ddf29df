import { html, type SafeHtml } from '@remix-run/html-template';
import { allowedTransitions, type Transition } from '../../../domain/lifecycle.js';
import type { StatusChange } from '../../../domain/records.js';
import type { Profile } from '../../../openapi/profile.js';

/** A lifecycle, and the status of a record in it. */
export interface Lifecycle<Status extends string> {
  /** The noun of the record: `deposit`. */
  readonly noun: string;
  /** All transitions of the lifecycle, including those that the profile does not allow. */
  readonly transitions: readonly Transition<Status, string, string>[];
  /** Decides which transitions are allowed. */
  readonly profile: Profile;
  readonly status: Status;
  readonly history: readonly StatusChange<Status>[];
}

/** An arrow from one state to another, or back to the same state. */
interface Arc {
  readonly from: string;
  readonly to: string;
  readonly causes: readonly string[];
  /** `taken` if the record has made this transition, `open` if it is possible now, `idle` otherwise. */
  readonly variant: 'taken' | 'open' | 'idle';
}

/** Maximum width of the row of states, in pixels. */
const maxRowWidth = 976;

/** Maximum width of a state with the gap beside it, in pixels. */
const maxStateWidth = 140;

/** Space between two states, in pixels. */
const stateGap = 10;

/** Height of a state, in pixels. */
const stateHeight = 30;

/** Height of an arc in pixels, for each state that it spans. */
const arcRise = 26;

/** Space above and below the drawing for the labels of arcs, in pixels. */
const verticalMargin = 12;

/**
 * A section that draws the lifecycle of a record: its states in a row with the terminal states last, and arcs between
 * them. Arcs to terminal states are below the row, other arcs above. The current state and the path to it are
 * highlighted.
 */
export function lifecycle<Status extends string>({
  noun,
  transitions,
  profile,
  status,
  history,
}: Lifecycle<Status>): SafeHtml {
  const allowed = allowedTransitions(transitions, profile);
  const { states, firstTerminal } = orderStates(allowed);
  const arcs = groupArcs(allowed, history, status);
  const stateWidth = Math.min(maxStateWidth, Math.floor(maxRowWidth / states.length));
  const indexOf = (state: string): number => states.indexOf(state);
  const endsInTerminalState = ({ to }: Arc): boolean => indexOf(to) >= firstTerminal;
  const arcsBelow = arcs.filter(endsInTerminalState);
  const arcsAbove = arcs.filter((arc) => !endsInTerminalState(arc));
  const spanOf = ({ from, to }: Arc): number => Math.max(1, Math.abs(indexOf(to) - indexOf(from)));
  const top = verticalMargin + arcRise * Math.max(0, ...arcsAbove.map(spanOf));
  const bottom = top + stateHeight + arcRise * Math.max(0, ...arcsBelow.map(spanOf)) + verticalMargin;
  const size = [stateWidth * states.length, bottom];
  const drawnArcs = arcs.map((arc) => {
    const isBelow = endsInTerminalState(arc);
    return drawArc(arc, {
      fromIndex: indexOf(arc.from),
      toIndex: indexOf(arc.to),
      stateWidth,
      y: isBelow ? top + stateHeight : top,
      isBelow,
    });
  });
  const statePills = states.map((state, index) =>
    statePill(state, state === status, { x: stateWidth * index + stateGap / 2, y: top, width: stateWidth - stateGap }),
  );
  const path = history.map(({ to, cause }) => ` → ${to} (${cause})`).join('');
  const possibleNext = arcs
    .filter(({ from }) => from === status)
    .map(({ causes, to }) => `${causes.join(' or ')} → ${to}`);
  const title = `The ${noun} is ${status}. History: ${history[0]?.from ?? status}${path}. ${
    possibleNext.length === 0 ? 'This status is final.' : `Possible next: ${possibleNext.join(', ')}.`
  }`;
  return html`<section class="sheet" aria-labelledby="lifecycle"><h2 id="lifecycle">Lifecycle</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Lifecycle of the ${noun}">
<svg class="lifecycle" role="img" aria-label="${title}" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size.join(' ')}">
<defs>${(['taken', 'open', 'idle'] as const).map(arrowhead)}</defs>
${drawnArcs}
${statePills}
</svg></div>
</section>`;
}

/**
 * The states in the order in which a record can reach them, terminal states last, and the index of the first terminal
 * state.
 */
function orderStates(transitions: readonly Pick<StatusChange<string>, 'from' | 'to'>[]): {
  states: string[];
  firstTerminal: number;
} {
  const transitionsBetweenStates = transitions.filter(({ from, to }) => from !== to);
  const allStates = [...new Set(transitionsBetweenStates.flatMap(({ from, to }) => [from, to]))];
  /** Length of the longest path to a state. */
  const depth = (state: string, visited: readonly string[] = []): number =>
    Math.max(
      0,
      ...transitionsBetweenStates
        .filter(({ from, to }) => to === state && !visited.includes(from))
        .map(({ from }) => 1 + depth(from, [...visited, state])),
    );
  const isTerminal = (state: string): boolean => !transitionsBetweenStates.some(({ from }) => from === state);
  const nonTerminal = allStates.filter((state) => !isTerminal(state)).sort((a, b) => depth(a) - depth(b));
  return { states: [...nonTerminal, ...allStates.filter(isTerminal)], firstTerminal: nonTerminal.length };
}

/** Groups transitions into arcs. Transitions with the same start and end share an arc, which lists their causes. */
function groupArcs(
  transitions: readonly Omit<StatusChange<string>, 'at'>[],
  history: readonly StatusChange<string>[],
  status: string,
): Arc[] {
  const grouped = new Map<string, Arc>();
  for (const { from, to, cause } of transitions) {
    const key = `${from} ${to}`;
    const causes = [...new Set([...(grouped.get(key)?.causes ?? []), cause])];
    const isTaken = history.some((change) => change.from === from && change.to === to);
    const variantIfNotTaken = from === status ? 'open' : 'idle';
    grouped.set(key, { from, to, causes, variant: isTaken ? 'taken' : variantIfNotTaken });
  }
  // Later arcs are drawn over earlier ones.
  const drawingOrder = { idle: 0, open: 1, taken: 2 };
  return [...grouped.values()].sort((a, b) => drawingOrder[a.variant] - drawingOrder[b.variant]);
}

function arrowhead(variant: Arc['variant']): SafeHtml {
  return html`<marker id="arrow-${variant}" class="${variant}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>`;
}

function drawArc(
  { causes, variant }: Arc,
  position: { fromIndex: number; toIndex: number; stateWidth: number; y: number; isBelow: boolean },
): SafeHtml {
  const { fromIndex, toIndex, stateWidth, y, isBelow } = position;
  const isLoop = fromIndex === toIndex;
  // Arcs leave right of the center of a state and arrive left of it, so that opposite arcs do not overlap.
  const start = stateWidth * fromIndex + stateWidth / 2 + 14;
  const end = stateWidth * toIndex + stateWidth / 2 - 14;
  const apex = y + (isBelow ? 1 : -1) * arcRise * Math.max(1, Math.abs(toIndex - fromIndex));
  // The apex of a cubic curve is at three quarters of the distance to its handles.
  const handle = Math.round(y + (apex - y) / 0.75);
  // Widens loops, whose ends are close together.
  const loopOffset = isLoop ? 16 : 0;
  return html`<path class="arc ${variant}" marker-end="url(#arrow-${variant})" d="M${start} ${y}C${start + loopOffset} ${handle} ${end - loopOffset} ${handle} ${end} ${y}"/>
<text class="cause ${variant}" x="${(start + end) / 2}" y="${apex + 4}">${causes.join(', ')}</text>
`;
}

function statePill(state: string, isCurrent: boolean, position: { x: number; y: number; width: number }): SafeHtml {
  const { x, y, width } = position;
  return html`<g class="state${isCurrent ? ' current' : ''}"><rect x="${x}" y="${y}" width="${width}" height="${stateHeight}" rx="${stateHeight / 2}"/>
<text x="${x + width / 2}" y="${y + stateHeight / 2 + 4}">${state}</text></g>
`;
}
