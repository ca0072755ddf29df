import { locationOf, operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { coveragePage } from './view.js';

const showCoverage: PageHandler = async (context) =>
  coveragePage(locationOf(context, 'coverage'), await context.controlApi.getCoverage(operationInput(context)));

export const coveragePages: readonly PageRoute[] = [['/coverage', showCoverage]];
