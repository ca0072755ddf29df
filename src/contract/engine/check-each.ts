import { Skip } from './check-errors.js';

/**
 * Runs a check for each item, one after the other. A Skip of one of them is thrown only after the others were checked, so
 * that it does not hide a violation.
 */
export async function checkEach<Item>(items: Iterable<Item>, check: (item: Item) => Promise<void>): Promise<void> {
  let firstSkip: Skip | undefined;
  for (const item of items) {
    try {
      await check(item);
    } catch (error) {
      if (!(error instanceof Skip)) throw error;
      firstSkip ??= error;
    }
  }
  if (firstSkip) throw firstSkip;
}
