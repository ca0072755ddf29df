import { cpus } from 'node:os';

/** Targets of a row: a text for the table, and a function that says whether a ratio meets the target. */
export const atLeast = (bound) => ({ text: `≥ ${bound}`, met: (ratio) => rounded(ratio) >= bound });
export const atMost = (bound) => ({ text: `≤ ${bound}`, met: (ratio) => rounded(ratio) <= bound });

/** Rounds a ratio as the table does, so that the verdict matches the ratio shown. */
const rounded = (ratio) => Number(ratio.toFixed(2));

/** Rows are `{figure, ratio?, low?, high?, target?, measured}`. */
export function tableOfResults(rows) {
  const lines = rows.map(({ figure, ratio, low, high, target, measured }) => [
    figure,
    ratio === undefined ? '–' : ratio.toFixed(2),
    // Both are undefined for a figure without rounds, and equal for a single round.
    low === high ? '–' : `${low.toFixed(2)} to ${high.toFixed(2)}`,
    ...(target === undefined ? ['–', '–'] : [target.text, target.met(ratio) ? 'yes' : 'no']),
    measured,
  ]);
  return [['Figure', 'Ratio', 'Middle half', 'Target', 'Met', 'Measured'], ...lines];
}

/** Rows are `{server, page, write, start, memory}`: ratios to bare Express, which was measured in alternation, as text. */
export function tableOfPeers(rows) {
  const lines = rows.map(({ server, page, write, start, memory }) => [server, page, write, start, memory]);
  return [['Ratio to bare Express', 'Page', 'New deposit', 'First response', 'Memory'], ...lines];
}

export function asText(table) {
  return padded(table)
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
}

export function asMarkdown([headings, ...lines]) {
  const [top, rule, ...rest] = padded([headings, headings.map(() => '---'), ...lines]);
  return [top, rule.map((cell) => cell.replaceAll(' ', '-')), ...rest]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

function padded(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  return table.map((line) => line.map((cell, column) => cell.padEnd(widths[column])));
}

export function machine() {
  const date = new Date().toISOString().slice(0, 10);
  const { length, 0: first } = cpus();
  return `${date}, Node ${process.versions.node}, ${length} cores (${first?.model.trim() ?? 'unknown'}), load generator and servers on the same machine.`;
}

export const notes = [
  'A ratio is the median over all rounds; each round is compared with the adjacent round of the other server. The middle half is the interquartile range.',
  'The simulator runs with everything enabled: file store, checks of token, scope and body, rate limiting, and request log.',
  'Prism and Mockoon respond to a request for a page with the single example row of the document, all others with 25 rows.',
];
