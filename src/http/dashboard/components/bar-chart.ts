import { html, type SafeHtml } from '@remix-run/html-template';
import { quantity } from '../../../text/format-money.js';
import type { Look } from './status.js';

interface Bar {
  /** Its name as text, and as shown. */
  readonly name: string;
  readonly label: SafeHtml;
  readonly count: number;
  readonly look: Look;
}

/** Height of a row, and height of the bar in it, in rem: the drawing and the text beside it grow with the font. */
const [rowRem, barRem] = [1.75, 0.875];

/** Width of the smallest bar in percent, so that a count of one is visible beside a count of thousands. */
const minWidth = 1;

/**
 * Counts as text, with a bar beside each. The longest bar has the highest count.
 * @param id unique on the page
 */
export function barChart(id: string, title: string, bars: readonly Bar[]): SafeHtml {
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const widthOf = (count: number): number =>
    count === 0 ? 0 : Math.max(minWidth, Math.round((count / highest) * 1000) / 10);
  const figures = bars.map(({ name, count }) => `${name}: ${quantity(count)}`).join(', ');
  return html`<div class="chart">
<ul class="chart-labels">
${bars.map(({ label, count }) => html`<li class="chart-label">${label} <span class="count">${quantity(count)}</span></li>\n`)}</ul>
<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-figures" width="100%" height="${bars.length * rowRem}rem">
<title id="${id}-title">${title}</title><desc id="${id}-figures">${figures}</desc>
${bars.map(({ count, look }, index) => {
  const y = index * rowRem + (rowRem - barRem) / 2;
  return html`<rect class="chart-bar track" y="${y}rem" width="100%" height="${barRem}rem" rx="3"/><rect class="chart-bar ${look}" y="${y}rem" width="${widthOf(count)}%" height="${barRem}rem" rx="3"/>
`;
})}</svg>
</div>`;
}
