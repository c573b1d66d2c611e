import { AccountOpening } from '#identity/accounts/account-opening';
import { Accounts } from '#identity/accounts/accounts';
import { PasswordResets } from '#identity/accounts/password-resets';
import { SignUps } from '#identity/accounts/sign-up-records';
import { UserAdministration } from '#identity/administration/user-administration';
import { ErasureWork } from '#identity/erasure/erasure-work';
import { SecretKey, Randomness } from '#identity/secrets';
import { type BudgetHistories, type IdentityConfiguration } from '#identity/surroundings';
import { Households } from '#identity/households/households';
import { OutboxMessages } from '#identity/mails/outbox-messages';
import { RecordChanges } from '#identity/record-changes';
import { RepeatableChanges } from '#identity/repeatable-changes';
import type { Stores } from './stores.js';

/** What changes users and households outside of an application: before one serves, and for operators. */
export interface IdentityWork {
  readonly erasures: ErasureWork;
  readonly administration: UserAdministration;
}

export function identityWorkOn(
  { documents, jobs, secretKey }: Pick<Stores, 'documents' | 'jobs' | 'secretKey'>,
  budgets: BudgetHistories,
  configuration: IdentityConfiguration,
): IdentityWork {
  const [clock, randomness, key] = [Date, new Randomness(), new SecretKey(secretKey)];
  const changes = new RecordChanges(documents);
  const repeatable = new RepeatableChanges(documents, changes, clock);
  const accounts = new Accounts(documents, repeatable);
  const outbox = new OutboxMessages(documents, jobs, clock, randomness);
  const signUps = new SignUps(documents, changes, clock, randomness, key);
  const resets = new PasswordResets(documents, clock, key);
  const households = new Households(documents, repeatable, clock, configuration);
  const erasures = new ErasureWork(documents, accounts, signUps, households, budgets, outbox, clock);
  const opening = new AccountOpening(accounts, signUps, households, configuration, clock, randomness);
  const shared = { documents, accounts, signUps, opening, resets, erasures };
  return {
    erasures,
    administration: new UserAdministration({ ...shared, configuration, clock, randomness }),
  };
}
