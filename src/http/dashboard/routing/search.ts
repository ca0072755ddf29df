import { readInteger } from '../../service/query.js';
import type { Search } from '../components/list.js';

/** What a list is asked for: `q`, `status` and `page`. */
export function readSearch(search: URLSearchParams): Search {
  const page = readInteger(search.get('page') ?? '1');
  return {
    text: (search.get('q') ?? '').trim(),
    status: search.get('status') ?? '',
    page: typeof page === 'number' && page >= 1 ? page : 1,
  };
}

/** Whether one of the texts has the one that is looked for in it, whatever the case. */
export function hasText(texts: readonly (string | null)[], wanted: string): boolean {
  return seeker(wanted)(texts);
}

/** As `hasText`, for many rows: made lower-case each time, a hundred thousand of them would take twice as long. */
export function seeker(wanted: string): (texts: readonly (string | null)[]) => boolean {
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
  return (texts) => texts.some((text) => text !== null && pattern.test(text));
}
