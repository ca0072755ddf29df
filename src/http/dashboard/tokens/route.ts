import { locationOf, type Page, type PageHandler, readOnlyRequest } from '../routing/page.js';
import { tokensPage } from './view.js';

const tokens: PageHandler = async (context) => {
  const tokenList = await context.routes.listTokens(readOnlyRequest(context));
  return tokensPage(locationOf(context, 'tokens'), tokenList.data, context.views.baseUrl());
};

export const tokenPages: readonly Page[] = [['/tokens', tokens]];
