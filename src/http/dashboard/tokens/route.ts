import { type Page, placeOf, readOnlyRequest, type Show } from '../routing/show.js';
import { tokensPage } from './view.js';

const tokens: Show = async (context) => {
  const listed = await context.routes.listTokens(readOnlyRequest(context));
  return tokensPage(placeOf(context, 'tokens'), listed.data);
};

export const tokenPages: readonly Page[] = [['/tokens', tokens]];
