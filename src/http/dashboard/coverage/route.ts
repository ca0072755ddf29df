import { locationOf, operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { coveragePage } from './view.js';

const coverage: PageHandler = async (context) =>
  coveragePage(locationOf(context, 'coverage'), await context.controlApi.getCoverage(operationInput(context)));

export const coveragePages: readonly PageRoute[] = [['/coverage', coverage]];
