import { defaultAccount } from '../../../simulation/accounts.js';
import { locationOf, type Page, type PageHandler, readOnlyRequest } from '../routing/page.js';
import { accountsPage } from './view.js';

const accounts: PageHandler = async (context) => {
  const { account, routes } = context;
  const accountList = await routes.listAccounts(readOnlyRequest(context));
  return accountsPage(locationOf(context, 'accounts'), {
    accounts: accountList.data,
    permanentAccount: defaultAccount,
    isRateLimited: account.record.rate_limit,
  });
};

export const accountPages: readonly Page[] = [['/accounts', accounts]];
