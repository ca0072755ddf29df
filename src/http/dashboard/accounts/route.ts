import { defaultAccountId } from '../../../domain/default-account.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { accountsPage } from './view.js';

const showAccounts: PageHandler = async (context) => {
  const { account, controlApi } = context;
  const accountList = await controlApi.listAccounts(operationInput(context));
  return accountsPage(context.location, {
    accounts: accountList.data,
    permanentAccount: defaultAccountId,
    isRateLimited: account.record.rate_limit,
  });
};

export const accountPages: readonly PageRoute[] = [['/accounts', showAccounts]];
