import { locationOf, type PageHandler, type PageRoute } from '../routing/page.js';
import { findRecords } from './find-records.js';
import { searchPage } from './view.js';

const search: PageHandler = (context) => {
  const text = (context.query.get('q') ?? '').trim();
  return searchPage({ ...locationOf(context, ''), searched: text }, text, findRecords(context.account, text));
};

export const searchPages: readonly PageRoute[] = [['/search', search]];
