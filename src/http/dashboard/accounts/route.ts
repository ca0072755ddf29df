import { defaultAccount } from '../../../simulation/accounts.js';
import { type Page, placeOf, reading, type Show } from '../routing/show.js';
import { accountsPage } from './view.js';

const accounts: Show = async (asked) => {
  const { account, routes } = asked;
  const listed = await routes.listAccounts(reading(asked));
  return accountsPage(placeOf(asked, 'accounts'), {
    accounts: listed.data,
    permanent: defaultAccount,
    rateLimit: account.record.rate_limit,
  });
};

export const accountPages: readonly Page[] = [['/accounts', accounts]];
