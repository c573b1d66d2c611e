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
  OPERATIONS_PER_BATCH_MAX,
  PLACES_MAX,
  TRANSACTIONS_PER_MONTH_MAX,
} from '#ledger/limits';
import { SERVICE_VERSION } from './service-version.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const INTRODUCTION = `
Monthly budgets for households. Every figure follows from recorded events. Client generators find this description at
\`/openapi.json\`, and people at \`/docs\`.

**Get a token**: \`npm run demo\` prints one. On any other server,
1. sign up with \`POST /auth/password/sign-up\`, which mails a link;
2. send the \`token\` of that link to \`POST /auth/password/verify\`; the response has the token of a session;
3. for scripts, create a personal access token with that session: \`POST /tokens\`.

If you have an account, \`POST /auth/password/sign-in\` returns a session's token. At
\`/docs\`, paste either token under **Authorize**. Your browser keeps it until you log out there.
`;

const LIMITS_OF_USE = `
**Limits of a household**: a month can have ${number(TRANSACTIONS_PER_MONTH_MAX)} transactions that are not deleted,
${number(GROUPS_PER_MONTH_MAX)} groups, ${number(ITEMS_PER_MONTH_MAX)} items,
${number(ADJUSTMENTS_PER_MONTH_MAX)} fund adjustments and ${number(NOTES_LENGTH_PER_MONTH_MAX)} characters of item notes
(\`month_full\`). A household can have ${number(BUDGETS_MAX)} months with ${number(PLACES_MAX)} items in total, and over
time ${number(IDENTITIES_MAX)} groups and items (\`household_full\`). It can have ${number(MEMBERS_MAX)} members and
${number(PENDING_INVITES_MAX)} pending invites (\`conflict\`, \`limit_reached\`).

**Limits of a batch**: ${number(OPERATIONS_PER_BATCH_MAX)} operations, fewer where long notes make them too large for one record
(\`batch_too_large\`).

**Limits of a user**: ${number(HOUSEHOLDS_PER_USER_MAX)} households and ${number(TOKENS_PER_USER_MAX)} personal access
tokens (\`conflict\`, \`limit_reached\`). A session ends ${days(SESSION_IDLE_MS)} days after its last use, and at most
${days(SESSION_LIFETIME_MS)} days after it began. A user can have ${number(SESSIONS_PER_USER_MAX)} sessions: one more
ends the session that was unused for longest.

**Rate limits**: a personal access token may call ${number(RATE_LIMIT)} times a minute (\`rate_limited\`). In
${minutes(LIMITS.signInPerEmail.windowMs)} minutes, one address may try ${number(LIMITS.signInPerEmail.most)} sign-ins
and one network ${number(LIMITS.signInPerNetwork.most)} (\`too_many_attempts\`). In
${minutes(LIMITS.mailPerEmail.windowMs)} minutes, one address receives at most ${number(LIMITS.mailPerEmail.most)} mails
and ${number(LIMITS.invitePerEmail.most)} invites. Further ones are dropped, but the response is the same, so that it does
not reveal who has an account.

**New passwords** must not be among the most common leaked passwords.
`;

/** The parts of the API description that are not about one operation. */
export const API_DESCRIPTION: ApiDescription = {
  title: 'Household Ledger',
  version: SERVICE_VERSION,
  introduction: INTRODUCTION,
  limits: LIMITS_OF_USE,
  tags: {
    Months: 'Monthly budgets: figures, creation and reset.',
    Groups: 'Groups of items: name, colour and order.',
    Items: 'Items of a budget: plan, note, favourite, order and harvest.',
    Funds: 'Items that carry their balance forward.',
    Transactions: 'Expenses and income, split across items.',
    Imports: 'Statements of banks, read before they are recorded.',
    Merchants: 'The item that a merchant’s spending last went to.',
    Activity: 'Who did what; undo; live changes.',
    Export: 'A household as one file.',
    Accounts: 'Sign-up, sign-in, passwords and the caller.',
    Sessions: 'The caller’s sessions, and sign-out.',
    'Personal access tokens': 'Tokens with scopes, for scripts.',
    Households: 'Households and their members.',
    Invites: 'Invitations by e-mail.',
    Settings: 'Display preferences of a user.',
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
