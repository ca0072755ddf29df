import { defaultAccount } from '../../../simulation/accounts.js';
import { type Page, placeOf, readOnlyRequest, type Show } from '../routing/show.js';
import { accountsPage } from './view.js';

const accounts: Show = async (context) => {
  const { account, routes } = context;
  const listed = await routes.listAccounts(readOnlyRequest(context));
  return accountsPage(placeOf(context, 'accounts'), {
    accounts: listed.data,
    permanent: defaultAccount,
    rateLimit: account.record.rate_limit,
  });
};

export const accountPages: readonly Page[] = [['/accounts', accounts]];
