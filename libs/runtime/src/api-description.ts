import type { ApiDescription } from '#http/openapi';
import { RATE_LIMIT } from '#identity/access/rate-limiter';
import { LIMITS } from '#identity/accounts/throttle';
import { MEMBERS_MAX, PENDING_INVITES_MAX } from '#identity/households/household-draft';
import { HOUSEHOLDS_PER_USER_MAX } from '#identity/households/households';
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS, SESSIONS_PER_USER_MAX } from '#identity/sessions/sessions';
import { TOKENS_PER_USER_MAX } from '#identity/tokens/tokens';
import {
  ADJUSTMENTS_PER_MONTH_MAX,
  BUDGETS_MAX,
  GROUPS_PER_MONTH_MAX,
  IDENTITIES_MAX,
  ITEMS_PER_MONTH_MAX,
  NOTES_LENGTH_PER_MONTH_MAX,
  PLACES_MAX,
  TRANSACTIONS_PER_MONTH_MAX,
} from '#ledger/limits';
import { SERVICE_VERSION } from './service-version.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const NOTES = `
**Limits of a household**: a month holds ${number(TRANSACTIONS_PER_MONTH_MAX)} transactions that are not deleted,
${number(GROUPS_PER_MONTH_MAX)} groups, ${number(ITEMS_PER_MONTH_MAX)} items,
${number(ADJUSTMENTS_PER_MONTH_MAX)} adjustments of funds and ${number(NOTES_LENGTH_PER_MONTH_MAX)} characters of
notes on items (\`month_full\`); a household ${number(BUDGETS_MAX)} months with
${number(PLACES_MAX)} items in all of them, and ${number(IDENTITIES_MAX)} groups and items that it ever had (\`household_full\`), ${number(MEMBERS_MAX)} members and ${number(PENDING_INVITES_MAX)} open
invites (\`conflict\`, \`limit_reached\`).

**Limits of a user**: ${number(HOUSEHOLDS_PER_USER_MAX)} households and ${number(TOKENS_PER_USER_MAX)} personal access
tokens (\`conflict\`, \`limit_reached\`). A session ends ${days(SESSION_IDLE_MS)} days after it was last used, and
${days(SESSION_LIFETIME_MS)} days after it began; of more than
${number(SESSIONS_PER_USER_MAX)} the one that was not used for longest ends.

**Limits in time**: a personal access token may call ${number(RATE_LIMIT)} times a minute (\`rate_limited\`; each answer
to it tells in \`X-RateLimit-…\` what is left). ${number(LIMITS.signInPerEmail.most)} sign-ins for one address, and
${number(LIMITS.signInPerNetwork.most)} from one network, may be tried in ${minutes(LIMITS.signInPerEmail.windowMs)}
minutes (\`too_many_attempts\`). Mails to one address are at most ${number(LIMITS.mailPerEmail.most)} in
${minutes(LIMITS.mailPerEmail.windowMs)} minutes, invites to it ${number(LIMITS.invitePerEmail.most)}: what goes beyond
is answered as ever and not sent, so that nobody learns from it who has an account.

**New passwords** that are among the commonest ones, as lists of leaked passwords have them, are refused.
`;

/** What the API reference says about the whole. */
export const API_DESCRIPTION: ApiDescription = {
  title: 'Household Ledger',
  version: SERVICE_VERSION,
  notes: NOTES,
  tags: {
    Months: 'Monthly budgets: figures, creation, reset.',
    Groups: 'Groups of items: their names and colours, their order in a month.',
    Items: 'Items of a budget: plans, notes, favourites, order, harvest.',
    Funds: 'Items that carry a balance from month to month.',
    Transactions: 'Expenses and income, split across items.',
    Merchants: 'Which item a merchant’s spending last went to.',
    Activity: 'What was done, by whom; undoing it; following it live.',
    Export: 'A whole household as one file.',
    Accounts: 'Sign-up, sign-in, passwords, oneself.',
    Sessions: 'Where one is signed in; signing out.',
    'Personal access tokens': 'For scripts: tokens with scopes, shown once.',
    Households: 'Households and their members.',
    Invites: 'Invitations by e-mail.',
    Settings: 'How a user likes to see things.',
    Health: 'For load balancers and operators.',
  },
};

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function minutes(ms: number): string {
  return number(ms / MINUTE_MS);
}

function days(ms: number): string {
  return number(ms / DAY_MS);
}
