import type { Clause } from '../../engine/clause.js';
import { aCount, expectField, expectSuccess, expectValue, succeeded, valueAt } from '../../engine/expect.js';
import { lookAgain } from '../../engine/retry-clause.js';
import { setup } from '../../engine/session.js';
import { Skip, Violation } from '../../engine/verdict.js';
import { pageRows } from '../field-rows.js';
import { idsOf, type List, type Pages, shapeOf, small, tooFew } from './page-clauses.js';

/** Clauses 15 to 18 of a list: what `page` and `last_page` promise. */
export function pagingClauses({ prefix, operation, spec, path, of }: List, pages: Pages): Clause[] {
  const common = {
    operation,
    spec,
    quote: '| page | integer | 1 | page number |',
    level: 'documented',
  } as const;
  const second = setup(`the second page of ${of}`, async (context) => {
    if (shapeOf(await pages.small(context)).total <= small) throw tooFew(of);
    return context.get(`${path}?per_page=${small}&page=2`);
  });
  return [
    {
      ...common,
      id: `${prefix}-15`,
      title: `\`page=2\` gives page 2 of ${of}.`,
      check: async (context) => {
        const page = await context.use(second);
        expectSuccess(page);
        expectValue(page, 'data.current_page', 2);
      },
    },
    {
      ...common,
      id: `${prefix}-16`,
      title: `Pages of ${of} follow one another without a record lost or repeated.`,
      check: (context) =>
        lookAgain(async (isFirst) => {
          const one = await pages.small(context, isFirst);
          const two = isFirst ? await context.use(second) : await context.get(`${path}?per_page=${small}&page=2`);
          const both = await context.get(`${path}?per_page=${small * 2}`);
          const parts = [...idsOf(one), ...idsOf(two)];
          const whole = idsOf(both);
          if (isEqual(parts, whole)) return;
          // What was added in between moves all that comes after it: that is no fault.
          const later = await context.get(`${path}?per_page=${small}`);
          if (!isEqual(idsOf(one), idsOf(later)) || shapeOf(one).total !== shapeOf(later).total) {
            throw new Skip('an account at rest', `the list of ${of} changes all the time`);
          }
          throw new Violation(`pages 1 and 2 to hold the ${of} ${whole.join(', ')}`, parts.join(', '), two);
        }),
    },
    {
      ...common,
      id: `${prefix}-17`,
      spec: 'Pagination envelope (list endpoints)',
      quote: pageRows.last_page,
      title: `\`data.last_page\` of the list of ${of} is ${aCount.words}.`,
      check: async (context) => expectField(succeeded(await pages.first(context)), 'data.last_page', aCount),
    },
    {
      ...common,
      id: `${prefix}-18`,
      level: 'inferred',
      spec: 'Pagination envelope (list endpoints)',
      quote: pageRows.last_page,
      title: `\`last_page\` of ${of} is the number of pages that \`total\` and \`per_page\` make.`,
      check: async (context) => {
        const page = succeeded(await pages.small(context));
        const { total, size } = shapeOf(page);
        const count = Math.ceil(total / size);
        const last = valueAt(page.json, 'data.last_page');
        // An empty list has one page, or none.
        if (last !== count && !(count === 0 && last === 1)) {
          throw new Violation(`\`data.last_page\` to be ${count}`, last, page);
        }
      },
    },
  ];
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, index) => id === others[index]);
}
