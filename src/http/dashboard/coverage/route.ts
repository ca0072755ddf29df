import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { coveragePage } from './view.js';

const showCoverage: PageHandler = async (context) =>
  coveragePage(context.location, await context.controlApi.getCoverage(operationInput(context)));

export const coveragePages: readonly PageRoute[] = [['/coverage', showCoverage]];
