import type { PageHandler, PageRoute } from '../routing/page.js';
import { findRecords } from './find-records.js';
import { searchPage } from './view.js';

const showSearchResults: PageHandler = (context) => {
  const searchText = (context.query.get('q') ?? '').trim();
  return searchPage({ ...context.location, searchText }, searchText, findRecords(context.account, searchText));
};

export const searchPages: readonly PageRoute[] = [['/search', showSearchResults]];
