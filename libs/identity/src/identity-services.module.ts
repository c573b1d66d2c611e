import { Module } from '@nestjs/common';
import type { Collection, Document } from '#storage/documents/documents';
import { Erasures } from '#storage/documents/erasures';
import { IdempotencyKeys } from '#storage/documents/idempotency-keys';
import { Credentials, LastUse } from './access/credentials.js';
import { AccountOpening } from './accounts/account-opening.js';
import { Accounts, UserNames } from './accounts/accounts.js';
import { ACCOUNTS } from './accounts/account-records.js';
import { EmailChanges } from './accounts/email-changes.js';
import { OwnPassword, Passwords } from './accounts/passwords.js';
import { Profiles } from './accounts/profiles.js';
import { PASSWORD_RESETS, PasswordResets } from './accounts/password-resets.js';
import { SIGN_UPS, SignUps } from './accounts/sign-up-records.js';
import { Throttle, THROTTLES } from './accounts/throttle.js';
import { ADMINISTRATION_LOG } from './administration/administration-records.js';
import { ErasureWork } from './erasure/erasure-work.js';
import { HOUSEHOLDS, MEMBERSHIP_LOG, SETTLED_INVITES } from './households/household-records.js';
import { Households } from './households/households.js';
import { OUTBOX_MESSAGES, OutboxMessages } from './mails/outbox-messages.js';
import { RecordChanges } from './record-changes.js';
import { RepeatableChanges } from './repeatable-changes.js';
import { SessionCookie } from './sessions/session-cookie.js';
import { SESSIONS, Sessions } from './sessions/sessions.js';
import { TOKENS, Tokens } from './tokens/tokens.js';
import { IdentityJobs } from './mails/identity-jobs.js';
import { MailDelivery } from './mails/mail-delivery.js';

/** What identity stores. The process that opens the documents store calls `ensure` with them first. */
export const IDENTITY_COLLECTIONS: readonly Collection<Document>[] = [
  ACCOUNTS,
  SIGN_UPS,
  PASSWORD_RESETS,
  SESSIONS,
  TOKENS,
  HOUSEHOLDS,
  MEMBERSHIP_LOG,
  SETTLED_INVITES,
  OUTBOX_MESSAGES,
  THROTTLES,
  IdempotencyKeys.collection,
  Erasures.collection,
  ADMINISTRATION_LOG,
];

const SERVICES = [
  RecordChanges,
  RepeatableChanges,
  Accounts,
  UserNames,
  SignUps,
  PasswordResets,
  EmailChanges,
  Passwords,
  OwnPassword,
  Throttle,
  AccountOpening,
  Profiles,
  Sessions,
  SessionCookie,
  Tokens,
  Households,
  OutboxMessages,
  ErasureWork,
  LastUse,
  Credentials,
];

/**
 * Accounts, sessions, tokens and households without any route: for the API, the workers and the command line. Needs from
 * a global module: `Documents`, `JobQueue`, `Clock`, `Randomness`, `SecretKey`, `IdentityConfiguration`, `BudgetHistories`.
 */
@Module({ providers: SERVICES, exports: SERVICES })
export class IdentityServicesModule {}

/** Sends mails and does the housekeeping. Needs what `IdentityServicesModule` needs, and `Mailer`. */
@Module({
  imports: [IdentityServicesModule],
  providers: [MailDelivery, IdentityJobs],
  exports: [MailDelivery],
})
export class IdentityJobsModule {}
