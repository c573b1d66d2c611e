import { Module } from '@nestjs/common';
import type { Collection, Document } from '#documents/documents';
import { Credentials } from './access/credentials.js';
import { LastUse } from './access/last-use.js';
import { ACCOUNTS, Accounts, UserNames } from './accounts/account-records.js';
import { HOUSEHOLDS, MEMBERSHIP_LOG, SETTLED_INVITES } from './households/household-records.js';
import { Households } from './households/households.js';
import { RecordChanges } from './record-changes.js';
import { SESSIONS, Sessions } from './sessions/sessions.js';
import { TOKENS, Tokens } from './tokens/tokens.js';

/** What identity keeps; whoever opens the documents store calls `ensure` with them before anything else. */
export const IDENTITY_COLLECTIONS: readonly Collection<Document>[] = [
  ACCOUNTS,
  SESSIONS,
  TOKENS,
  HOUSEHOLDS,
  MEMBERSHIP_LOG,
  SETTLED_INVITES,
];

const SERVICES = [RecordChanges, Accounts, UserNames, Sessions, Tokens, Households, LastUse, Credentials];

/**
 * Accounts, sessions, tokens and households without any route: for the API, the workers and the command line.
 *
 * Needs, provided by a global module: `Documents`, `JobQueue`, `Clock`, `Randomness`, `SecretKey`,
 * `IdentityConfiguration`.
 */
@Module({ providers: SERVICES, exports: SERVICES })
export class IdentityServicesModule {}
