import type { ApiDescription } from '#http/openapi';
import { SERVICE_VERSION } from './service-version.js';

/** What the API reference says about the whole. */
export const API_DESCRIPTION: ApiDescription = {
  title: 'Household Ledger',
  version: SERVICE_VERSION,
  tags: {
    Months: 'Monthly budgets: figures, creation, reset.',
    Groups: 'Groups of items: their names and colours, their order in a month.',
    Items: 'Items of a budget: plans, notes, favourites, order, harvest.',
    Funds: 'Items that carry a balance from month to month.',
    Transactions: 'Expenses and income, split across items.',
    Merchants: 'Which item a merchant’s spending last went to.',
    Accounts: 'Sign-up, sign-in, sessions, passwords, oneself.',
    Tokens: 'Personal access tokens for scripts.',
    Households: 'Households and their members.',
    Invites: 'Invitations by e-mail.',
    Settings: 'How a user likes to see things.',
    Health: 'For load balancers and operators.',
  },
};
