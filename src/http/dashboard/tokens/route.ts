import { type Page, placeOf, reading, type Show } from '../routing/show.js';
import { tokensPage } from './view.js';

const tokens: Show = async (asked) => {
  const listed = await asked.routes.listTokens(reading(asked));
  return tokensPage(placeOf(asked, 'tokens'), listed.data);
};

export const tokenPages: readonly Page[] = [['/tokens', tokens]];
