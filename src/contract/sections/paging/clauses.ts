import type { Clause } from '../../engine/clause.js';
import { aCount, expectField, expectSuccess, expectValue, succeeded, valueAt } from '../../engine/expect.js';
import { lookAgain } from '../../engine/retry-clause.js';
import { fact } from '../../engine/session.js';
import { Skip, Violation } from '../../engine/verdict.js';
import { idsOf, type List, type Pages, shapeOf, small, tooFew } from './page-clauses.js';

/** Clauses 15 to 18 of a list: what `page` and `last_page` promise. */
export function pagingClauses({ prefix, operation, spec, path, of }: List, pages: Pages): Clause[] {
  const common = { operation, spec, level: 'documented' } as const;
  const second = fact(`the second page of ${of}`, async (scene) => {
    if (shapeOf(await pages.small(scene)).total <= small) throw tooFew(of);
    return scene.get(`${path}?per_page=${small}&page=2`);
  });
  return [
    {
      ...common,
      id: `${prefix}-15`,
      title: `\`page=2\` gives page 2 of ${of}.`,
      check: async (scene) => {
        const page = await scene.at(second);
        expectSuccess(page);
        expectValue(page, 'data.current_page', 2);
      },
    },
    {
      ...common,
      id: `${prefix}-16`,
      title: `Pages of ${of} follow one another without a record lost or repeated.`,
      check: (scene) =>
        lookAgain(async (isFirst) => {
          const one = await pages.small(scene, isFirst);
          const two = isFirst ? await scene.at(second) : await scene.get(`${path}?per_page=${small}&page=2`);
          const both = await scene.get(`${path}?per_page=${small * 2}`);
          const parts = [...idsOf(one), ...idsOf(two)];
          const whole = idsOf(both);
          if (isEqual(parts, whole)) return;
          // What was added in between moves all that comes after it: that is no fault.
          const later = await scene.get(`${path}?per_page=${small}`);
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
      title: `\`data.last_page\` of the list of ${of} is ${aCount.words}.`,
      check: async (scene) => expectField(succeeded(await pages.first(scene)), 'data.last_page', aCount),
    },
    {
      ...common,
      id: `${prefix}-18`,
      level: 'inferred',
      spec: 'Pagination envelope (list endpoints)',
      title: `\`last_page\` of ${of} is the number of pages that \`total\` and \`per_page\` make.`,
      check: async (scene) => {
        const page = succeeded(await pages.small(scene));
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
