import { html, type SafeHtml } from '@remix-run/html-template';
import { formatNumber } from '../../../text/format-money.js';
import type { Variant } from './status.js';

interface Bar {
  /** The name as plain text, for screen readers. */
  readonly name: string;
  /** The name as shown. */
  readonly label: SafeHtml;
  readonly count: number;
  readonly variant: Variant;
}

/**
 * Height of a row, as in `.chart-label` of style.css, and of its bar. The unit is rem, so that the bars and the text
 * beside them grow with the font.
 */
const [rowRem, barRem] = [1.75, 0.875];

/** Minimum width of a bar, so that a count of one is visible beside a count of thousands. */
const minWidthPercent = 1;

/**
 * A horizontal bar chart: each count as text, with a bar beside it. The bar of the highest count takes the full width.
 * @param id unique on the page
 */
export function barChart(id: string, title: string, bars: readonly Bar[]): SafeHtml {
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const widthPercentOf = (count: number): number =>
    count === 0 ? 0 : Math.max(minWidthPercent, Math.round((count / highest) * 1000) / 10);
  const description = bars.map(({ name, count }) => `${name}: ${formatNumber(count)}`).join(', ');
  return html`<div class="chart">
<ul class="chart-labels">
${bars.map(({ label, count }) => html`<li class="chart-label">${label} <span class="count">${formatNumber(count)}</span></li>\n`)}</ul>
<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-counts" width="100%" height="${bars.length * rowRem}rem">
<title id="${id}-title">${title}</title><desc id="${id}-counts">${description}</desc>
${bars.map(({ count, variant }, index) => {
  const y = index * rowRem + (rowRem - barRem) / 2;
  return html`<rect class="chart-bar track" y="${y}rem" width="100%" height="${barRem}rem" rx="3"/><rect class="chart-bar ${variant}" y="${y}rem" width="${widthPercentOf(count)}%" height="${barRem}rem" rx="3"/>
`;
})}</svg>
</div>`;
}
