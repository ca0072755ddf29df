import { locationOf, type Page, type PageHandler, readOnlyRequest } from '../routing/page.js';
import { coveragePage } from './view.js';

const coverage: PageHandler = async (context) =>
  coveragePage(locationOf(context, 'coverage'), await context.routes.getCoverage(readOnlyRequest(context)));

export const coveragePages: readonly Page[] = [['/coverage', coverage]];
