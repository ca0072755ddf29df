import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { tokensPage } from './view.js';

const showTokens: PageHandler = async (context) => {
  const tokenList = await context.controlApi.listTokens(operationInput(context));
  return tokensPage(context.location, tokenList.data, context.views.baseUrl());
};

export const tokenPages: readonly PageRoute[] = [['/tokens', showTokens]];
